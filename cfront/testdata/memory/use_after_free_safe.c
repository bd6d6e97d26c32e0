// expect: SAFE --check=memory
/* What was freed is read. */
#include <stdlib.h>
static void drop(int *p) { free(p); }
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
 int r = *p - 1;
  drop(p);
  return r;
}

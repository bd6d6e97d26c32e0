// expect: SAFE --check=memory
/* free is given the address of a variable. */
#include <stdlib.h>
static void drop(int *p) {
  free(p);
}
int main(void) {
 int *p = malloc(sizeof *p);
  *p = 1;
  drop(p);
  return 0;
}

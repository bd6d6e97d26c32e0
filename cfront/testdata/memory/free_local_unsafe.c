// expect: UNSAFE --check=memory
/* free is given the address of a variable. */
#include <stdlib.h>
static void drop(int *p) {
  free(p);
}
int main(void) {
 int x;
 int *p = &x;
  *p = 1;
  drop(p);
  return 0;
}

// expect: UNSAFE --check=leak
/* What main allocates, it frees. */
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int r = *p - 1;
  return r;
}

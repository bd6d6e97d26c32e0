// expect: SAFE --check=leak
/* realloc frees the old object, if its result is kept. */
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  p[0] = 1;
  int *q = realloc(p, 8);
  int r = q[0] - 1;
 free(q);
  return r;
}

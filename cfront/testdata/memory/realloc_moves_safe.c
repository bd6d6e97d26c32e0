// expect: SAFE --check=memory
/* After realloc the old pointer is none. */
#include <stdlib.h>
static int *larger(int *p) { return realloc(p, 1000 * sizeof *p); }
int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 5;
  int *q = larger(p);
 int r = q[0] - 5;
  free(q);
  return r;
}

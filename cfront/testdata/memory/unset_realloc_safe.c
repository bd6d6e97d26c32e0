// expect: SAFE --check=memory
/* What realloc adds is indeterminate. */
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  p[0] = 1;
  p = realloc(p, 2 * sizeof *p);
  p[1] = p[0];
  if (p[0] + p[1] > 5)
    abort();
  free(p);
  return 0;
}

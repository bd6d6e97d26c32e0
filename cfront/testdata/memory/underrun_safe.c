// expect: SAFE --check=memory
/* The element before the first. */
#include <stdlib.h>
static int last(const int *a, int n) {
  return a[n - 1];
}
int main(void) {
  int *a = calloc(4, sizeof *a);
 int r = last(a, 1);
  free(a);
  return r;
}

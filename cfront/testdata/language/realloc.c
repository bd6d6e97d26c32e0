// expect: SAFE
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = calloc(2, sizeof(int));
  p[1] = 7;
  p = realloc(p, 3 * sizeof(int));
  assert(p[0] == 0 && p[1] == 7);
  return 0;
}

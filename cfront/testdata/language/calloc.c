// expect: SAFE
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = calloc(2, sizeof(int));
  assert(p[0] == 0 && p[1] == 0);
  return 0;
}

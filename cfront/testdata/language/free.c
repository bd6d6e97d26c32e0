// expect: SAFE
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof(int)), x;
  *p = 1;
  x = *p;
  free(p);
  free(0);
  assert(x == 1);
  return 0;
}

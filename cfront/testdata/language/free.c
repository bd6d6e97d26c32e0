// expect: SAFE
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int x = 1;
  free(0);
  assert(x == 1);
  return 0;
}

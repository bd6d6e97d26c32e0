// expect: UNSAFE
#include <assert.h>
#include <stdio.h>
int main(void) {
  int r = fflush(stdout);
  assert(r == 0);
  return 0;
}

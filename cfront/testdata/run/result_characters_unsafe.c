// expect: UNSAFE
#include <assert.h>
#include <stdio.h>
int main(void) {
  int c = getchar();
  assert(c > EOF);
  return 0;
}

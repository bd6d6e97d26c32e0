// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
  unsigned x = 5;
  errno = 0;
  assert(__builtin_popcount(x) == 2 && errno == 0);
  return 0;
}

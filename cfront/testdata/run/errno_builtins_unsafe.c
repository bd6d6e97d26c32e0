// expect: UNSAFE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
  errno = 0;
  __builtin_fprintf(stdout, "\n");
  assert(errno == 0);
  return 0;
}

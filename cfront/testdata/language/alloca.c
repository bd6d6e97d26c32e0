// expect: error 5:12: unsupported: dynamic memory (alloca)
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = __builtin_alloca(4);
  *p = 1;
  return 0;
}

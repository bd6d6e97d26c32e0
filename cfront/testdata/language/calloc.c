// expect: error 5:12: unsupported: dynamic memory (calloc)
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = calloc(1, 4);
  *p = 1;
  return 0;
}

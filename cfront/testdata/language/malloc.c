// expect: error 5:12: unsupported: dynamic memory (malloc)
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  *p = 1;
  return 0;
}

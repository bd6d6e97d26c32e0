// expect: error 6:3: unsupported: memset of a part of an object, or of a size that is not known here
#include <assert.h>
#include <string.h>
int main(void) {
  int x = 1;
  memset(&x, 0, 2);
  assert(x == 0);
  return 0;
}

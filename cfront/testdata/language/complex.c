// expect: error 4:19: unsupported: complex number
#include <assert.h>
int main(void) {
  _Complex double d;
  d = 1;
  return 0;
}

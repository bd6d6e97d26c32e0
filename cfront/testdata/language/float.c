// expect: error 4:10: unsupported: floating point
#include <assert.h>
int main(void) {
  double d = 1.0;
  assert(d > 0);
  return 0;
}

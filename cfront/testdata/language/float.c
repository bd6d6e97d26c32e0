// expect: error 5:3: unsupported: floating point
#include <assert.h>
int main(void) {
  double d = 1.0;
  assert(d > 0);
  return 0;
}

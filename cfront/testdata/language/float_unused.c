// expect: SAFE
#include <assert.h>
double half(double d) { return d / 2; }
int main(void) {
  assert(1);
  return 0;
}

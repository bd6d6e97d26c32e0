// expect: SAFE
#include <assert.h>
int f(a, b) int a; short b; { return a + b; }
int main(void) {
  assert(f(1, 65537) == 2);
  return 0;
}

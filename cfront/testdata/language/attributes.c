// expect: SAFE
#include <assert.h>
__attribute__((noinline)) static int f(void) { return 1; }
int main(void) {
  int x __attribute__((aligned(8), unused)) = 1;
  assert(f() == x);
  return 0;
}

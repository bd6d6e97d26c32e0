// expect: UNSAFE
#include <assert.h>

static int sum(int n) { return n == 0 ? 0 : 1 + sum(n - 1); }

int main(void) {
  assert(sum(1000) == 999);
  return 0;
}

// expect: SAFE
// __atomic_test_and_set tells whether the byte was set, not what it held.
#include <assert.h>
unsigned char x = 2;
int main(void) {
  int old = __atomic_test_and_set(&x, 5);
  assert(old == 1 && x == 1);
  __atomic_clear(&x, 5);
  assert(!__atomic_test_and_set(&x, 5));
  return 0;
}

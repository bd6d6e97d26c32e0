// expect: UNSAFE
#include <assert.h>

int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), n = 0;
  unsigned r = (n++, x) ?: 7u;
  assert(n == 1);
  assert(r < 7 || x == 0);
  return 0;
}

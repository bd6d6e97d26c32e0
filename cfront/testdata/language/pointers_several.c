// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y;
  *p = 3;
  assert(x == 3 || y == 3);
  return 0;
}

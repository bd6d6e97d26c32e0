// expect: UNSAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int c = __VERIFIER_nondet_int(), x = 1, y = 2, *p = c ? &x : &y;
  *p += 10;
  assert(c ? x == 11 && y == 2 : x == 1 && y == 2);
  return 0;
}

// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y, a[2] = {1, 2};
  unsigned char c;
  long l;
  if (__builtin_mul_overflow(x, 2, &y)) assert(x > 1073741823 || x < -1073741824);
  else assert(y == 2 * x);
  assert(__builtin_add_overflow(x, 1L << 40, &y) && !__builtin_add_overflow(a[0], a[1], &a[1]) && a[1] == 3);
  assert(__builtin_sub_overflow(a[0], 4u, &c) && c == 253 && !__builtin_saddl_overflow(2147483647, 1, &l) && l == 2147483648);
  assert(__builtin_sadd_overflow(2147483648u, -1, &x) && x == 2147483647 && __builtin_add_overflow_p(x, 1, 0) && !__builtin_mul_overflow_p(x, 2, (long)0));
  return 0;
}

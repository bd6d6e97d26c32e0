// expect: UNSAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4] = {1, 2, 3, 4}, b[4] = {4, 3, 2, 2}, c = __VERIFIER_nondet_int(), *p = c ? a : b, s = 0;
  for (int *q = p; q < p + 4; q++) s += *q;
  assert(s == (c ? 10 : 11));
  int *e = p + 4;
  s = 0;
  while (e > p) s = s * 2 + *--e;
  assert(!c || s == 48);
  assert(e - p == 0 && (p + 3) - p == 3);
  return 0;
}

// expect: UNSAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int x, y, z;
int main(void) {
  int *a[3] = {&x, &y, &z}, i = __VERIFIER_nondet_int();
  if (i < 0 || i > 2) return 0;
  *a[i] = 4;
  assert(x + y + z == 4 && (i != 1 || y == 4));
  a[i] = &x;
  *a[i] += 1;
  assert(x == 1);
  return 0;
}

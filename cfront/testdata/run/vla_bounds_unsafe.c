// expect: UNSAFE
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int n = __VERIFIER_nondet_bool() ? 2 : 3;
  _Bool a[n + 1];
  for (int i = 0; i < n; i++) a[i] = 0;
  int k = __VERIFIER_nondet_bool() ? 1 : 2;
  _Bool *p = a;
  p[k] = 1;
  if (n == 2) assert(k == 1); // p[2] is not there
  assert(a[k] == 1);
  return 0;
}

// expect: UNSAFE
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  _Bool a[n];
  for (int i = 0; i < n; i++) a[i] = i > 4;
  assert(!a[n - 1]);
  return 0;
}

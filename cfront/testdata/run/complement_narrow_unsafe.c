// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar(), d = ~c;
  unsigned u = ~(c == 3);
  assert(d == 255 - c);
  assert(u >= 4294967294u);
  assert(d != 7);
  return 0;
}

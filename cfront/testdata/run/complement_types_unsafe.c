// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  signed char c = __VERIFIER_nondet_char(); unsigned char d = ~c; unsigned short s = ~d; unsigned u = ~(unsigned)d; long l = ~u; _Bool f = ~(c == 0);
  assert(s < 65535 || u == 0);
  return 0;
}

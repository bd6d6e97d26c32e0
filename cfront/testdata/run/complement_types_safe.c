// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  signed char c = __VERIFIER_nondet_char(); unsigned char d = ~c; unsigned short s = ~d; unsigned u = ~(unsigned)d; long l = ~u; _Bool f = ~(c == 0);
  assert(d == (unsigned char)(-1 - c) && s == 65535 - d && u == 4294967295u - d && l == d && f);
  return 0;
}

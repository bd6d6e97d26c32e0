// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() % 8u, c = __VERIFIER_nondet_uchar() % 8u; _Bool f = __VERIFIER_nondet_bool(), g = __VERIFIER_nondet_bool();
  assert((a ^ c) != 5 || (a & c) != 2);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() % 8u, c = __VERIFIER_nondet_uchar() % 8u; _Bool f = __VERIFIER_nondet_bool(), g = __VERIFIER_nondet_bool();
  assert((a & c) + (a | c) == a + c && (a ^ c) == (a | c) - (a & c) && (a & c) <= a && (a | c) >= c && (f & g) == (f && g) && (f | g) == (f || g) && (f ^ g) == (f != g) && (a != 6 || c != 3 || (a & c) == 2 && (a | c) == 7));
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  signed char c = __VERIFIER_nondet_char(); unsigned d = __VERIFIER_nondet_uchar() % 8u;
  assert((1 << d) > 0 && (1u << d) <= 128 && ((c >> d) >= -1 || c < -1) && (d != 3 || (c >> d) * 8 + (c & 7) == c && 5 << d == 40) && (unsigned char)(255u << d) % 2 == (d == 0));
  return 0;
}

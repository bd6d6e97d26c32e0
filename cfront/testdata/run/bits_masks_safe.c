// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  signed char c = __VERIFIER_nondet_char(); unsigned char u = c;
  assert((c & 1) == (c + 256) % 2 && (c ^ c) == 0 && (c | 0) == c && (c & -8) + (c & 7) == c && (u & 0x5a) + (u & 0xa5) == u && (c | 12) == c + 12 - (c & 12) && (c ^ 255) == (~c & 255) - 256 * (c < 0) && (u ^ 6) == (u | 6) - (u & 6) && (u | 128) >= 128);
  return 0;
}

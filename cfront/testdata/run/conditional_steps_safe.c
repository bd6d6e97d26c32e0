// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  int f = 1, g = __VERIFIER_nondet_bool(); long long x = f ? (g ? -1 : 1) : 0u, y = g ? (f++, -1) : 0u; unsigned char n = g ? 255 : -1;
  assert(n == 255 && (x == 1 || x == 4294967295LL) && (y == 0 || y == 4294967295LL));
  return 0;
}

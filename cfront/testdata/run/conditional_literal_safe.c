// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  int f = __VERIFIER_nondet_bool();
  assert((1 ? -1 : 0u) > 0 && (0 ? 0u : -1) > 0 && (f ? -1 : 0u) >= 0 && (f ? (char)-1 : (char)0) <= 0);
  return 0;
}

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  signed char c = __VERIFIER_nondet_char(); unsigned char u = c;
  assert((c & 4) != 4 || (c ^ 4) != -5 || (c | 2) != -1);
  return 0;
}

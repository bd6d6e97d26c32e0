// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int a[2];
void *f(void *p) { int *q = p, n = 1 + __VERIFIER_nondet_bool(); while (n--) q[1] = a[0] + 7; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, a);
  a[0] = 1;
  pthread_join(t, 0);
  assert(a[1] == 7 || a[1] == 8);
  return 0;
}

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
void *f(void *p) { *(_Bool *)p = 1; return 0; }
int main(void) {
  pthread_t t;
  unsigned char n = __VERIFIER_nondet_uchar();
  _Bool a[n];
  for (int i = 0; i < n; i++) a[i] = 0;
  pthread_create(&t, 0, f, &a[0]);
  assert(a[n - 1] < 1);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;
void __VERIFIER_atomic_inc(void) { x++; }
void *f(void *arg) {
  __VERIFIER_atomic_inc();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(c > 200);
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  assert(x == 2 && c >= 201);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_t a;
void *f(void *p) { if (__VERIFIER_nondet_bool()) return (void *)5; return 0; }
void *g(void *p) { void *r; pthread_join(a, &r); assert(r == 0 || r == (void *)5); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&a, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  return 0;
}

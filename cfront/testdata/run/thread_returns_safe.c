// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void *f(void *p) { if (__VERIFIER_nondet_bool()) return (void *)1; return (void *)2; }
int main(void) {
  pthread_t t; void *r;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, &r);
  assert(r == (void *)2 || r == (void *)1);
  return 0;
}

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x;
void *f(void *p) { if (__VERIFIER_nondet_bool()) return &x; if (__VERIFIER_nondet_bool()) pthread_exit((void *)7); if (__VERIFIER_nondet_bool()) return (void *)1; return 0; }
int main(void) {
  pthread_t t; void *r;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, &r);
  assert(r != 0);
  return 0;
}

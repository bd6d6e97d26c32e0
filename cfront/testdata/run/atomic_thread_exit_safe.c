// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x;
void *__VERIFIER_atomic_f(void *p) { x = 1; if (__VERIFIER_nondet_bool()) { x = 0; pthread_exit((void *)1); } x = 0; if (p) return (void *)2; return (void *)(long)(x + 2); }
int main(void) {
  pthread_t t; void *r;
  pthread_create(&t, 0, __VERIFIER_atomic_f, 0);
  assert(x == 0);
  pthread_join(t, &r);
  assert(x == 0 && (r == (void *)1 || r == (void *)2));
  return 0;
}

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void *f(void *p) { if (__VERIFIER_nondet_bool()) return (void *)5; return 0; }
int main(void) {
  pthread_t t[2]; void *r;
  pthread_create(&t[0], 0, f, 0); pthread_create(&t[1], 0, f, 0);
  int k = __VERIFIER_nondet_bool();
  pthread_join(t[k], &r);
  assert(r == 0);
  return 0;
}

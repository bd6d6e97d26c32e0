// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int g, h = 2;
int __VERIFIER_atomic_get(void) { g = 1; return g + h; }
void *f(void *p) { g = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = __VERIFIER_atomic_get();
  assert(g == 1);
  return 0;
}

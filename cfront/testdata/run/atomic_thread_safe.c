// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x;
void *__VERIFIER_atomic_f(void *p) { x = 1; x = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, __VERIFIER_atomic_f, 0);
  assert(x == 0);
  return 0;
}

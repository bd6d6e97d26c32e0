// expect: SAFE
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2];
int main(void) {
  int i = __VERIFIER_nondet_int() & 1;
  pthread_mutex_lock(&m[i]);
  int r = pthread_mutex_trylock(&m[1 - i]);
  assert(r == 0);
  return 0;
}

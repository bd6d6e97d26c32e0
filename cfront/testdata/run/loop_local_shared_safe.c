// expect: SAFE
// A local of a loop that is not unrolled, while it lives, in another thread.
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *shared;

void *f(void *arg) {
  do {
    int mine = 1;
    pthread_mutex_lock(&m);
    shared = &mine;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    shared = 0;
    assert(mine < 3);
    pthread_mutex_unlock(&m);
  } while (__VERIFIER_nondet_int());
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  if (shared)
    assert(++*shared == 2);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}

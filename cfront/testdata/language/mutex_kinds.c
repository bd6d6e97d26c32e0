// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m, n = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m);
  int r = pthread_mutex_lock(&m);
  assert(r == 0);
  r = pthread_mutex_unlock(&n);
  assert(r == 1);
  return 0;
}

// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x;
void *f(void *arg) {
  int r = pthread_mutex_unlock(&m);
  assert(r == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  int r = pthread_mutex_lock(&m);
  assert(r == 0);
  r = pthread_mutex_lock(&m);
  assert(r == 35);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  r = pthread_mutex_trylock(&m);
  assert(r == 16);
  r = pthread_mutex_unlock(&m);
  assert(r == 0);
  r = pthread_mutex_unlock(&m);
  assert(r == 1);
  return 0;
}

// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int main(void) {
  pthread_mutex_lock(&m);
  int r = pthread_mutex_trylock(&m);
  assert(r == 0);
  return 0;
}

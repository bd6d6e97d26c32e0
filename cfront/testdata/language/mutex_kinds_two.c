// expect: error 8:3: unsupported: mutex that is initialised with different kinds
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int main(void) {
  pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
  assert(pthread_mutex_trylock(&m) != 0);
  return 0;
}

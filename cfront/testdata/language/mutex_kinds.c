// expect: error 8:3: unsupported: recursive or error-checking mutex
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  return 0;
}

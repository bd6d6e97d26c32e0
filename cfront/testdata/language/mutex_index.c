// expect: error 7:3: unsupported: mutex in an array with an index that is not known here
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2];
int main(void) {
  pthread_mutex_lock(&m[__VERIFIER_nondet_int() & 1]);
  return 0;
}

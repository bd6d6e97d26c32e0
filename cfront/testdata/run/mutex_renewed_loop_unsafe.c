// expect: UNSAFE
// Each iteration has a mutex of its own, and this thread does not hold it at first.
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int n;
int main(void) {
  int k = __VERIFIER_nondet_uchar();
  for (int i = 0; i < k && i < 3; i++) {
    pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    if (pthread_mutex_lock(&m) == 0) n++;
  }
  assert(n < 2);
  return 0;
}

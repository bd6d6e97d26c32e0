// expect: SAFE
// All iterations have one mutex, which this thread goes on to hold.
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int n;
int main(void) {
  int k = __VERIFIER_nondet_uchar();
  for (int i = 0; i < k && i < 3; i++) {
    static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    if (pthread_mutex_lock(&m) == 0) n++;
  }
  assert(n < 2);
  return 0;
}

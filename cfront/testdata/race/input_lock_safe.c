// expect: SAFE --check=race
// Where the lock is not taken for some input, the data is not touched either.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int locking, x;
void *f(void *arg) {
  if (locking)
    pthread_mutex_lock(&m);
  if (locking) {
    x++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  locking = __VERIFIER_nondet_int() != 2;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

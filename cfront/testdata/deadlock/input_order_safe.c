// expect: SAFE --check=deadlock
// The order of the locks depends on an input that is the same for both threads.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int n;
void both(int i) {
  pthread_mutex_lock(&m[i]);
  pthread_mutex_lock(&m[1 - i]);
  pthread_mutex_unlock(&m[1 - i]);
  pthread_mutex_unlock(&m[i]);
}
void *f(void *arg) {
  both(n == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_int();
  pthread_create(&t, 0, f, 0);
  both(n == 1);
  pthread_join(t, 0);
  return 0;
}

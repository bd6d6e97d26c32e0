// expect: UNSAFE --check=deadlock
// The locks that two threads take are chosen in any order.
#include <pthread.h>
#include <sched.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
void *f(void *arg) {
  int i = __VERIFIER_nondet_bool();
  pthread_mutex_lock(&m[i]);
  pthread_mutex_lock(&m[1 - i]);
  pthread_mutex_unlock(&m[1 - i]);
  pthread_mutex_unlock(&m[i]);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  for (;;)
    sched_yield();
}

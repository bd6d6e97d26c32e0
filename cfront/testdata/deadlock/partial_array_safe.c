// expect: SAFE --check=deadlock
// The locks that two threads take are chosen, the smaller first.
#include <pthread.h>
#include <sched.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
void *f(void *arg) {
  int i = __VERIFIER_nondet_bool();
  pthread_mutex_lock(&m[0]);
  pthread_mutex_lock(&m[1]);
  pthread_mutex_unlock(&m[1]);
  pthread_mutex_unlock(&m[0]);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  for (;;)
    sched_yield();
}

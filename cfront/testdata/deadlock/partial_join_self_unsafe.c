// expect: UNSAFE --check=deadlock
// A thread joins one that waits for its lock; main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *g(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
void *f(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, g, 0);
  pthread_mutex_lock(&m);
  pthread_join(t, 0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  for (;;)
    sched_yield();
}

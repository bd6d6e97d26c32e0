// expect: SAFE --check=deadlock
// A thread that joins itself gets EDEADLK; main runs for ever.
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
  pthread_join(pthread_self(), 0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  for (;;)
    sched_yield();
}

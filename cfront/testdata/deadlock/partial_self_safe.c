// expect: SAFE --check=deadlock
// A thread takes a recursive mutex twice while main runs for ever.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  for (;;)
    sched_yield();
}

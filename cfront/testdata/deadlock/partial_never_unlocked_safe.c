// expect: SAFE --check=deadlock
// main gives the lock back in each turn of its endless loop.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  for (;;) {
    pthread_mutex_lock(&m);
    sched_yield();
    pthread_mutex_unlock(&m);
  }
}

// expect: SAFE --check=deadlock
// main ends with a robust lock, which the next owner is told.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
void *g(void *arg) {
  for (;;)
    sched_yield();
}
int main(void) {
  pthread_t t, u;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attr);
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_exit(0);
}

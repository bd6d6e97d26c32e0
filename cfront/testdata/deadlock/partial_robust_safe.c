// expect: SAFE --check=deadlock
// Two threads take two robust mutexes in the same order while main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t a, b;
void *f(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
void *g(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&a, &attr);
  pthread_mutex_init(&b, &attr);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}

// expect: SAFE --check=deadlock
// A thread posts before it takes the lock of the one that waits; main runs for ever.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
sem_t s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  sem_wait(&s);
  pthread_mutex_unlock(&m);
  return 0;
}
void *g(void *arg) {
  sem_post(&s);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}

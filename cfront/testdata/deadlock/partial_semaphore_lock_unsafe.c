// expect: UNSAFE --check=deadlock
// A thread waits for a unit with the lock that the one who would post wants; main runs for ever.
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
  pthread_mutex_lock(&m);
  sem_post(&s);
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

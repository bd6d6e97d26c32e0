// expect: UNSAFE --check=deadlock
// main posts once and then runs for ever, while a thread waits twice.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
sem_t s;
void *f(void *arg) {
  sem_wait(&s);
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  sem_post(&s);
  for (;;) {
    sched_yield();
  }
}

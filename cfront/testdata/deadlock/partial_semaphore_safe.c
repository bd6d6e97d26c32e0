// expect: SAFE --check=deadlock
// main posts, and takes back what is left, in each turn of its endless loop.
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
  for (;;) {
    sem_post(&s);
    sem_trywait(&s);
    sched_yield();
  }
}

// expect: SAFE --check=deadlock
// main joins a thread that runs for ever, and nobody else waits for good.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
sem_t s;
void *f(void *arg) {
  for (;;)
    sched_yield();
}
void *g(void *arg) {
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  return 0;
}

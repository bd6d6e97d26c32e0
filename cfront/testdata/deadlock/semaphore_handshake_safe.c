// expect: SAFE --check=deadlock
// Of two threads one posts before it waits.
#include <pthread.h>
#include <semaphore.h>
sem_t a, b;
void *f(void *arg) {
  sem_wait(&a);
  sem_post(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&a, 0, 0);
  sem_init(&b, 0, 0);
  pthread_create(&t, 0, f, 0);
  sem_post(&a);
  sem_wait(&b);
  pthread_join(t, 0);
  return 0;
}

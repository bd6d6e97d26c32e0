// expect: UNSAFE --check=deadlock
// Two threads take two units each of a semaphore that has two.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *f(void *arg) {
  sem_wait(&s);
  sem_wait(&s);
  sem_post(&s);
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 2);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

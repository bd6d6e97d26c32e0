// expect: UNSAFE --check=deadlock
// Each of two threads waits for the other before it posts.
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
  sem_wait(&b);
  sem_post(&a);
  pthread_join(t, 0);
  return 0;
}

// expect: UNSAFE --check=race
// The semaphore is posted before the data is written.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int data;
void *f(void *arg) {
  sem_post(&s);
  data = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  sem_wait(&s);
  int r = data;
  pthread_join(t, 0);
  sem_destroy(&s);
  return r == 2;
}

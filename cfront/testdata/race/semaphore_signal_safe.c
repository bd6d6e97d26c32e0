// expect: SAFE --check=race
// The semaphore is posted after the data was written.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int data;
void *f(void *arg) {
  data = 1;
  sem_post(&s);
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

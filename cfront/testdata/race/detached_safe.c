// expect: SAFE --check=race
// main waits on a semaphore for the end of a detached thread's work.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int x;
void *f(void *arg) {
  x = 1;
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  pthread_detach(t);
  sem_wait(&s);
  int r = x;
  return r == 2;
}

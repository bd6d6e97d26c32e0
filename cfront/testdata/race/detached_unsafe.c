// expect: UNSAFE --check=race
// main does not wait for a detached thread's work.
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
  int r = x;
  sem_wait(&s);
  return r == 2;
}

// expect: UNSAFE --check=race
// A semaphore that begins with 2 lets both threads in.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int x;
void *f(void *arg) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 2);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  sem_destroy(&s);
  return 0;
}

// expect: UNSAFE --check=race
// A third thread gets the data from the second, which did not look whether the first was ready.
#include <pthread.h>
#include <semaphore.h>
sem_t a, b;
int data;
void *f(void *arg) {
  data = 1;
  sem_post(&a);
  return 0;
}
void *g(void *arg) {
  sem_post(&b);
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&a, 0, 0);
  sem_init(&b, 0, 0);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  sem_wait(&b);
  int r = data;
  pthread_join(t, 0);
  pthread_join(u, 0);
  return r == 2;
}

// expect: UNSAFE --check=race
// A sem_trywait that fails orders nothing; a wait is ordered behind the post.
#include <pthread.h>
#include <semaphore.h>
sem_t free_places;
int x;
void *f(void *arg) {
  x = 1;
  sem_wait(&free_places);
  sem_post(&free_places);
  return arg;
}
void *g(void *arg) {
  if (sem_trywait(&free_places) != 0) {
    x = 2;
    sem_wait(&free_places);
  }
  sem_post(&free_places);
  return arg;
}
int main(void) {
  pthread_t s, t;
  sem_init(&free_places, 0, 1);
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

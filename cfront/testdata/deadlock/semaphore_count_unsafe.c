// expect: UNSAFE --check=deadlock
// A semaphore is waited for once more than it is posted.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *f(void *arg) {
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  sem_post(&s);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}

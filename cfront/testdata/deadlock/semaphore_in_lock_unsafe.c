// expect: UNSAFE --check=deadlock
// The consumer waits for the semaphore with the lock that the producer needs.
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t items;
int n;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  n++;
  sem_post(&items);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&items, 0, 0);
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  sem_wait(&items);
  n--;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE --check=locks
/* A semaphore is destroyed while a thread may wait for it. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *thread(void *arg) {
  sem_wait(&s);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, thread, 0);
  sem_post(&s);
 pthread_join(t, 0);
  sem_destroy(&s);
  return 0;
}

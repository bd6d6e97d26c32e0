// expect: SAFE --check=deadlock
// main returns and so ends the program while a thread waits for ever.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *f(void *arg) {
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  return 0;
}

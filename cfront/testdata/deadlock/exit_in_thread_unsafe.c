// expect: UNSAFE --check=deadlock
// A thread ends only itself while main waits for ever.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
sem_t s;
void *f(void *arg) {
  pthread_exit(0);
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  sem_wait(&s);
  return 0;
}

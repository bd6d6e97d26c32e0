// expect: UNSAFE --check=deadlock
// main ends only itself while a thread waits for ever.
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
  pthread_exit(0);
}

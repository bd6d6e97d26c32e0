// expect: UNSAFE --check=deadlock
// A daemon has one thread: it is created before the process becomes one, and what it would give is waited for.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t ready;

static void *prepare(void *arg) {
  sem_post(&ready);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  if (pthread_create(&t, NULL, prepare, NULL) != 0)
    return 1;
  if (daemon(1, 1) != 0)
    _exit(1);
  sem_wait(&ready);
  return 0;
}

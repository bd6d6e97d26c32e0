// expect: UNSAFE
// A semaphore that cannot be taken now is told by errno.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
sem_t s;
int tries;
void *f(void *arg) {
  errno = 0;
  if (sem_trywait(&s) == -1 && errno == EAGAIN) tries++;
  assert(tries == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  errno = EAGAIN;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, f, 0);
  sem_wait(&s);
  sem_post(&s);
  return 0;
}

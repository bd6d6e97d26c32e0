// expect: SAFE
// A semaphore that cannot be taken now is not told by ETIMEDOUT, and errno is one of each thread.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
sem_t s;
int tries;
void *f(void *arg) {
  errno = 0;
  if (sem_trywait(&s) == -1 && errno == ETIMEDOUT) tries++;
  assert(tries == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  errno = ETIMEDOUT;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, f, 0);
  sem_wait(&s);
  sem_post(&s);
  return 0;
}

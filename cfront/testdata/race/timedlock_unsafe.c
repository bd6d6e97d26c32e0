// expect: UNSAFE --check=race
// The data is touched if pthread_mutex_timedlock has not got the lock in time.
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  struct timespec end = {1, 0};
  switch (pthread_mutex_timedlock(&m, &end)) {
  case ETIMEDOUT:
    x++;
    break;
  default:
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}

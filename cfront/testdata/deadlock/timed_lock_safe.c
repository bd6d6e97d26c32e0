// expect: SAFE --check=deadlock
// pthread_mutex_timedlock gives up a lock that is never released.
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  struct timespec until = { 1, 0 };
  if (pthread_mutex_timedlock(&m, &until) == 0)
    pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}

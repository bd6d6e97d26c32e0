// expect: SAFE --check=deadlock
// pthread_cond_timedwait ends by itself when nobody signals.
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  struct timespec until = { 1, 0 };
  pthread_cond_timedwait(&c, &m, &until);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}

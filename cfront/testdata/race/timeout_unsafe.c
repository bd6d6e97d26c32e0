// expect: UNSAFE --check=race
// A wait reads all of the time that it is given.
#include <pthread.h>
#include <time.h>
struct timespec end;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  end.tv_sec = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&c, &m, &end);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) x++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  struct timespec s = {0};
  if (pthread_mutex_timedlock(&m, &s) == 0) x++;
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}

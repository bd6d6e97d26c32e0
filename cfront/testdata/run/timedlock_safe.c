// expect: SAFE
#include <errno.h>
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;
int x;
void *f(void *a) {
  int r = pthread_mutex_timedlock(&m, &soon);
  assert(r == 0 || r == ETIMEDOUT);
  if (r) return 0;
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  int v = x;
  assert(x == v);
  pthread_mutex_unlock(&m);
  return 0;
}

// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t;
int r = 1;
void *f(void *a) {
  pthread_mutex_lock(&m);
  pthread_t self = t;
  pthread_mutex_unlock(&m);
  r = pthread_join(self, 0);
  return a;
}
int main(void) {
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, f, 0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(r == EDEADLK);
  return 0;
}

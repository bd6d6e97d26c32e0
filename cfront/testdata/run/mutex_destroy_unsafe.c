// expect: UNSAFE
// A mutex that nobody holds is destroyed.
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = pthread_mutex_destroy(&m);
  assert(r != 0);
  return 0;
}

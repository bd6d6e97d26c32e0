// expect: UNSAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_t t;
int r = 1;
void *f(void *a) {
  r = pthread_join(pthread_self(), 0);
  return a;
}
int main(void) {
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(r == 0);
  return 0;
}

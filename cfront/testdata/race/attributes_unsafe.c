// expect: UNSAFE --check=race
// An attribute object is memory like any other: who changes it needs a lock.
#include <pthread.h>
pthread_attr_t shared;
void *f(void *arg) {
  pthread_attr_t own;
  pthread_attr_init(&own);
  pthread_attr_setdetachstate(&shared, PTHREAD_CREATE_JOINABLE);
  pthread_attr_destroy(&own);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_attr_init(&shared);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

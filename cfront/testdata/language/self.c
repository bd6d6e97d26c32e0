// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_t me;
void *f(void *arg) {
  me = pthread_self();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(me != 0 && pthread_self() != 0);
  assert(pthread_equal(me, t) && !pthread_equal(pthread_self(), t));
  return 0;
}

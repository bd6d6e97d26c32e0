// expect: UNSAFE
// A program that takes 0 for the id of a thread that is inside already.
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t owner;
int inside;
void enter(void) {
  if (pthread_equal(owner, pthread_self()) || owner == 0) return;
  pthread_mutex_lock(&m);
  owner = pthread_self();
}
void *f(void *arg) {
  enter();
  inside = 1;
  inside = 0;
  owner = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  enter();
  assert(inside == 0);
  return 0;
}

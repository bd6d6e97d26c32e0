// expect: SAFE
// The owner of a lock that no thread holds is 0, which is no thread's id, also not
// that of main.
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t owner;
int inside;
void enter(void) {
  if (pthread_equal(owner, pthread_self())) return;
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

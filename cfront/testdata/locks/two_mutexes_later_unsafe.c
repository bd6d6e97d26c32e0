// expect: UNSAFE --check=locks
// Main waits with another mutex when the thread was joined that waited for the condition variable; in the unsafe one before.
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void wait_with(pthread_mutex_t *l) {
  struct timespec end = {0};
  pthread_mutex_lock(l);
  pthread_cond_timedwait(&c, l, &end);
  pthread_mutex_unlock(l);
}
static void *thread(void *arg) {
  wait_with(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  wait_with(&n);
  pthread_join(t, 0);
  return 0;
}

// expect: UNSAFE --check=race
// A cleanup handler gives the mutex back, before the data is touched.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void done(void *arg) { pthread_mutex_unlock(arg); }
void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(done, &m);
  (void)0;
  pthread_cleanup_pop(1);
  x++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}

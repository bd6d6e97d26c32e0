// expect: UNSAFE --check=race
// A plain flag is looked at first instead of pthread_once, beside a relaxed access.
#include <stdatomic.h>
#include <pthread.h>
static _Atomic int zz_;
pthread_once_t o = PTHREAD_ONCE_INIT;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done, table;
void init(void) {
  table = 7;
  done = 1;
}
void *f(void *arg) {
  atomic_store_explicit(&zz_, 1, memory_order_relaxed);
  if (!done) {
    pthread_mutex_lock(&m);
    if (!done)
      init();
    pthread_mutex_unlock(&m);
  }
  return table == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

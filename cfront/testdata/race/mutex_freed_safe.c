// expect: SAFE --check=race
// free is a write of the mutex that was there: it has to be ordered behind the last unlock.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_mutex_t *m;
atomic_int done;
void *f(void *arg) {
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
  atomic_store_explicit(&done, 1, memory_order_release);
  return arg;
}
int main(void) {
  pthread_t t;
  m = malloc(sizeof *m);
  if (!m)
    return 1;
  pthread_mutex_init(m, 0);
  pthread_create(&t, 0, f, 0);
  if (atomic_load_explicit(&done, memory_order_acquire))
    free(m);
  pthread_join(t, 0);
  return 0;
}

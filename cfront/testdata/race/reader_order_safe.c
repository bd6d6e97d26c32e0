// expect: SAFE --check=race
// Readers of a read-write lock are not ordered with one another; a reader is ordered behind a writer.
#include <pthread.h>
#include <stdatomic.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
atomic_int done;
int x;
void *f(void *arg) {
  x = 1;
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return arg;
}
void *g(void *arg) {
  if (atomic_load_explicit(&done, memory_order_relaxed)) {
    pthread_rwlock_rdlock(&l);
    x = 2;
    pthread_rwlock_unlock(&l);
  }
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

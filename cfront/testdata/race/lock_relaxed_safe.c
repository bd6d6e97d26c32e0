// expect: SAFE --check=race
// A mutex orders accesses in a program that has relaxed atomics, too.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int z;
int x;
void *f(void *arg) {
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int k = atomic_load_explicit(&z, memory_order_relaxed);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return k;
}

// expect: SAFE --check=race
// An acquire load sees a release store and is ordered after it.
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int data;
void *f(void *arg) {
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t;
  int r = 0;
  pthread_create(&t, 0, f, 0);
  if (atomic_load_explicit(&ready, memory_order_acquire))
    r = data;
  pthread_join(t, 0);
  return r == 1;
}

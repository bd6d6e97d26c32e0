// expect: UNSAFE --check=race
// A release sequence goes on through a read-modify-write of another thread, but not through its store.
#include <pthread.h>
#include <stdatomic.h>
atomic_int n, seen;
int x;
void *f(void *arg) {
  x = 1;
  atomic_store_explicit(&n, 1, memory_order_release);
  while (!atomic_load_explicit(&seen, memory_order_relaxed))
    ;
  atomic_store_explicit(&n, 3, memory_order_relaxed);
  return arg;
}
void *g(void *arg) {
  while (atomic_load_explicit(&n, memory_order_relaxed) != 1)
    ;
  atomic_store_explicit(&n, 2, memory_order_release);
  atomic_store_explicit(&seen, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  while (atomic_load_explicit(&n, memory_order_acquire) != 3)
    ;
  x = 2;
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE --check=race
// A relaxed store continues the release sequence that a read-modify-write of the same thread heads.
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
int x;
void *f(void *arg) {
  x = 1;
  atomic_fetch_add_explicit(&n, 1, memory_order_release);
  atomic_store_explicit(&n, 5, memory_order_relaxed);
  return arg;
}
void *g(void *arg) {
  if (atomic_load_explicit(&n, memory_order_acquire) == 5)
    x = 2;
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

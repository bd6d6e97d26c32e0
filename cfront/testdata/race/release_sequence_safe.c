// expect: SAFE --check=race
// A relaxed read-modify-write by another thread continues the release sequence.
#include <pthread.h>
#include <stdatomic.h>
atomic_int state;
int data;
void *f(void *arg) {
  data = 42;
  atomic_store_explicit(&state, 1, memory_order_release);
  return 0;
}
void *g(void *arg) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&state, &one, 2, memory_order_relaxed, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t, u;
  int r = 0;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  if (atomic_load_explicit(&state, memory_order_acquire) == 2)
    r = data;
  pthread_join(t, 0);
  pthread_join(u, 0);
  return r == 1;
}

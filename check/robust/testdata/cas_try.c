// robust: tso
// A compare and exchange that has failed takes no lock: who goes on then has synchronised with nobody.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l, x, y;

static void *a(void *p) {
  int e = 0;
  if (atomic_compare_exchange_strong_explicit(&l, &e, 1, memory_order_acquire, memory_order_relaxed)) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&l, 0, memory_order_release);
  }
  return p;
}

static void *b(void *p) {
  int e = 0;
  if (atomic_compare_exchange_strong_explicit(&l, &e, 1, memory_order_acquire, memory_order_relaxed)) {
    atomic_store_explicit(&l, 0, memory_order_release);
  } else {
    int s = atomic_load_explicit(&y, memory_order_relaxed);
    int r = atomic_load_explicit(&x, memory_order_relaxed);
    assert(!(s && !r));
  }
  return p;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}

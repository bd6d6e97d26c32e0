// robust: none
// The number of a key tells which thread came first, and creating one synchronises with nobody.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_key_t k1, k2;

static void *a(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_key_create(&k1, 0);
  return p;
}

static void *b(void *p) {
  pthread_key_create(&k2, 0);
  int q = atomic_load_explicit(&x, memory_order_relaxed);
  if (k2 == 1)
    assert(q);
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

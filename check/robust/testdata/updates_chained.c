// robust: c11 tso pso
// All writes are updates, the results of which are looked at: what comes after one reads it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b, c, d;
static void *one(void *p) {
  a = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  b = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  return p;
}
static void *two(void *p) {
  c = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  d = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a + b + c + d < 5);
  return 0;
}

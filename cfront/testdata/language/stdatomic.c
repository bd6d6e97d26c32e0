// expect: SAFE
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
atomic_int x;
atomic_flag g = ATOMIC_FLAG_INIT;
void *f(void *arg) {
  atomic_fetch_add(&x, 2);
  atomic_flag_test_and_set(&g);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int e = 0;
  atomic_compare_exchange_strong(&x, &e, 5);
  pthread_join(t, 0);
  int v = atomic_load(&x);
  assert(v == 7 || v == 2);
  assert(atomic_flag_test_and_set_explicit(&g, memory_order_acquire));
  return 0;
}

// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
_Atomic int x;
atomic_flag g = ATOMIC_FLAG_INIT;
int n;
void *f(void *arg) {
  int e = 0;
  atomic_fetch_add_explicit(&x, 2, memory_order_relaxed);
  while (atomic_flag_test_and_set_explicit(&g, memory_order_acquire)) ;
  n++;
  
  n++;
  atomic_flag_clear_explicit(&g, memory_order_release);
  if (atomic_compare_exchange_strong_explicit(&x, &e, 5, memory_order_acq_rel, memory_order_relaxed)) assert(0);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(n == 4);
  return 0;
}

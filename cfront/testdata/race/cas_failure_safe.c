// expect: SAFE --check=race
// A compare and exchange that fails acquires by its second order.
#include <pthread.h>
#include <stdatomic.h>
int x;
_Atomic int flag;
void *f(void *arg) {
  x = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}
int main(void) {
  pthread_t t;
  int e = 0;
  pthread_create(&t, 0, f, 0);
  if (!atomic_compare_exchange_strong_explicit(&flag, &e, 2, memory_order_seq_cst, memory_order_acquire))
    x = 2;
  pthread_join(t, 0);
  return 0;
}

// expect: UNSAFE --check=race
// An atomic_flag that is set and cleared with relaxed order excludes but does not order.
#include <pthread.h>
#include <stdatomic.h>
atomic_flag lock = ATOMIC_FLAG_INIT;
int x;
void *f(void *arg) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_relaxed))
    ;
  x++;
  atomic_flag_clear_explicit(&lock, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

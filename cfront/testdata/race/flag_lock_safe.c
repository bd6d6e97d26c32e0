// expect: SAFE --check=race
// An atomic_flag is a lock when it is set with acquire and cleared with release.
#include <pthread.h>
#include <stdatomic.h>
atomic_flag lock = ATOMIC_FLAG_INIT;
int x;
void *f(void *arg) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    ;
  x++;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

// expect: UNSAFE --check=race
// The counter from which threads draw begins anew when one of them has ended.
#include <pthread.h>
#include <stdatomic.h>
atomic_int next;
int a[4];
void *f(void *arg) {
  int i = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  a[i] = i;
  i = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  a[i] = i;
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, f, 0);
  pthread_join(s, 0);
  atomic_store_explicit(&next, 0, memory_order_relaxed);
  pthread_join(t, 0);
  pthread_create(&s, 0, f, 0);
  pthread_join(s, 0);
  return a[0];
}

// expect: UNSAFE --check=race
// A pthread_tryjoin_np that succeeds is ordered behind the thread, one that fails is not.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
atomic_int done;
int x;
void *f(void *arg) {
  x = 1;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  while (!atomic_load_explicit(&done, memory_order_relaxed))
    ;
  int failed = pthread_tryjoin_np(t, 0);
  if (failed)
    x = 2;
  if (failed)
    pthread_join(t, 0);
  return 0;
}

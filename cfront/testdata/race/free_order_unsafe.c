// expect: UNSAFE --check=race
// main frees the object early when a relaxed load has seen that the thread is done with it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int done;
void *f(void *arg) {
  int *p = arg;
  *p = 2;
  atomic_store_explicit(&done, 1, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  if (!p)
    return 1;
  pthread_create(&t, 0, f, p);
  int early = atomic_load_explicit(&done, memory_order_relaxed);
  if (early)
    free(p);
  pthread_join(t, 0);
  if (!early)
    free(p);
  return 0;
}

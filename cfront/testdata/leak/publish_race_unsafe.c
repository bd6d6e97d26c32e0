// expect: UNSAFE --check=leak
/* Two threads publish an object each in the same place: the one that comes second takes the place of the other's, or frees its own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) slot;
static void *thread(void *arg) {
  (void)arg;
  int *p = malloc(sizeof *p);
  *p = 1;
 atomic_store(&slot, p);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, thread, 0);
  pthread_create(&u, 0, thread, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}

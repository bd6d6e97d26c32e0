// expect: SAFE
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
// A jump from behind a loop into it, past where its constants are set.
_Atomic int full; int item;
void *consumer(void *p) {
  int n = 0, seen = 0, step = 1;
  goto wait;
  while (n < 2) {
    seen = seen * 10 + item;
    atomic_store(&full, 0);
  next:
    n += step;
  }
  assert(seen == 12);
  return 0;
wait:
  while (!atomic_load(&full)) ;
  seen = seen * 10 + item;
  atomic_store(&full, 0);
  if (seen == 1) { step = 1; while (!atomic_load(&full)) ; seen = seen * 10 + item; step = 2; goto next; }
  goto wait;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, consumer, 0);
  for (int i = 1; i <= 2; i++) { while (atomic_load(&full)) ; item = i; atomic_store(&full, 1); }
  pthread_join(t, 0);
}

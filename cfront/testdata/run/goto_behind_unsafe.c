// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
// Labels that only code behind them leads to: in loops, after goto, and in code that is dead.
_Atomic int free_slots = 1; int taken;
static int take(int wanted) {
  int old, got = 0, limit = 2;
  for (int i = 0; i < wanted; i++) {
    old = atomic_load(&free_slots);
    goto test;
  retry:
    if (--limit == 0) goto out;
    old = atomic_load(&free_slots);
  test:
    if (old == 0) goto out;
    if (!atomic_compare_exchange_strong(&free_slots, &old, old - 1)) goto retry;
    got++;
    continue;
  out:
    return got;
  }
  return got;
  for (;;) { dead: got++; if (got > limit) break; goto dead; }
  goto dead;
}
void *thread(void *p) { *(int *)p = take(1); return 0; }
int main(void) {
  pthread_t t; int a = 0, b;
  pthread_create(&t, 0, thread, &a);
  b = take(1);
  pthread_join(t, 0);
  assert(a == 1 && b == 1 && free_slots == 0);
}

// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int x, v = 2, r = 7;
int main(void) {
  __atomic_exchange(&x, &v, &r, __ATOMIC_SEQ_CST);
  assert(x == 2 && r == 0);
  assert(__atomic_is_lock_free(sizeof(int), &x));
  return 0;
}

// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int x, e, d = 1;
int main(void) {
  int r = __atomic_compare_exchange(&x, &e, &d, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  assert(r);
  return 0;
}

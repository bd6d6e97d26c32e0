// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int n = __VERIFIER_nondet_uchar(), i = 0;
  int x = 0, y = 0, *p;
  __atomic_store_n(&p, &x, __ATOMIC_SEQ_CST);
  if (n > 3) return 0;
  while (i < n) {
    assert(x == 0);
    *p = 1;
    i++;
  }
  return 0;
}

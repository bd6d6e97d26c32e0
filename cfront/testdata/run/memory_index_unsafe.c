// expect: UNSAFE --check=memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int a[4];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 6) return 0;
  a[i] = 1;
  return 0;
}

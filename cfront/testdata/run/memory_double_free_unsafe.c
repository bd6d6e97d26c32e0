// expect: UNSAFE --check=memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = calloc(2, 4), *q = __VERIFIER_nondet_int() ? p : calloc(1, 4);
  free(p);
  free(q);
  free(0);
  return 0;
}

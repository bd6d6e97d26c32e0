// expect: UNSAFE --check=memory
/* A local is given a value on one way, or on both. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), limit;
  if (n > 0)
    limit = n;
  if (limit > 3)
    abort();
  return 0;
}

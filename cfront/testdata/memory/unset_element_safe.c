// expect: SAFE --check=memory
/* An array is filled up to an element, or up to the one before. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4], n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3)
    return 0;
  for (int i = 0; i <= n; i++)
    a[i] = 1;
  if (a[n] > 5)
    abort();
  return 0;
}

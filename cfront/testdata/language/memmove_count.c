// expect: SAFE
#include <assert.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int a[4] = {1, 2, 3, 4};
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  memmove(a, a + 1, n * sizeof a[0]);
  assert(a[0] == (n == 0 ? 1 : 2) && a[3] == 4);
}

// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0, k = 0, rounds = 0;
  goto in;
  while (i < 10) {
    i += 2;
  in:
    i++;
  }
  assert(i == 10);
  while (k > 100) { /* entered from below only */
  below:
    k++;
    if (k == 3) k = 0;
  }
  if (rounds++ < 2) goto below;
  assert(k == 2 || k == 0);
  switch (__VERIFIER_nondet_int()) {
    while (i < 20) {
    case 1: i++;
    case 2: i++;
    }
  }
  assert(i == 10 || i == 20 || i == 21);
  return 0;
}

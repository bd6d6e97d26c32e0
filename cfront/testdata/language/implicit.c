// expect: SAFE 4:11: warning: implicit declaration of function '__VERIFIER_nondet_int'
#include <assert.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 2);
  assert(x > 1);
  return 0;
}

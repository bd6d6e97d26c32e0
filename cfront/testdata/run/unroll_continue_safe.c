// expect: SAFE
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int i = 0;
  while (i < 3) {
    if (__VERIFIER_nondet_bool()) { i++; continue; }
    if (__VERIFIER_nondet_bool()) { i += 2; continue; }
    i = __VERIFIER_nondet_bool() ? 5 : 0;
  }
  assert(i < 6);
  return 0;
}

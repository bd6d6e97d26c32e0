// expect: SAFE
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int *last = NULL;
  while (__VERIFIER_nondet_int() > 3) {
    int *p = calloc(1, sizeof(int));
    assert(p != last);
    last = p;
  }
  return 0;
}

// expect: SAFE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void *x;

int main(void) {
  void **r = __VERIFIER_nondet_int() ? (void **)&r : &x;
  void **was = r;
  *r = &x; /* what is stored looks like the other place that it may be stored at */
  assert(was == &x ? x == &x : r == &x && x == 0);
  return 0;
}

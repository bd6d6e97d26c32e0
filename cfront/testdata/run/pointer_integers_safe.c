// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  void *r, *s = 0; _Bool c = __VERIFIER_nondet_bool();
  if (c) r = (void *)2; else r = (void *)1;
  if (r == (void *)2) s = r;
  assert(r != 0 && (r == (void *)1 || c));
  assert(s == 0 || s == r);
  return 0;
}

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int known = 1, any = __VERIFIER_nondet_bool();
  long long x = known ? -1 : 0u, y = any ? -1 : 0u;
  assert(y == 0 || y == 4294967295LL);
  assert(x == -1);
  return 0;
}

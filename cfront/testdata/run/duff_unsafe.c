// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  _Bool n = __VERIFIER_nondet_bool(); int s = 0, i = 0;
  switch (n) { case 0: while (i < 2) { s++; case 1: s++; i++; } }
  assert(s == 4);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int i = 0, k; _Bool once = 0;
  again: if (once) goto past;
  int y; y = 5; once = 1; goto again;
  past: assert(y == 5);
  return 0;
}

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  for (int i = 0; i < 2; i++) { int r = 1; switch (i) { _Bool y; case 0: y = 1; r = y; break; default: r = y; } assert(r == 1); }
  return 0;
}

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void *f(long x, _Bool c) { if (c) return (void *)(x + 1); return (void *)(x * 2); }
int main(void) { long x = __VERIFIER_nondet_bool() + 3; if (x != 3) return 0; assert(f(x, 1) == f(x, 0)); return 0; }

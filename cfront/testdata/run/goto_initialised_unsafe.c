// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int f(_Bool c) { if (!c) goto past; { int y = 1; past: return y; } }
int main(void) { assert(f(1) == 1); assert(f(0) == 1); return 0; }

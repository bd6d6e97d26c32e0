// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void *f(void) { if (__VERIFIER_nondet_bool()) return (void *)1; return (void *)2; }
int main(void) { void *r = f(); void *s = f(); assert(r == (void *)1); assert(s == (void *)1 || s == (void *)2); return 0; }

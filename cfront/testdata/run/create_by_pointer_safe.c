// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x; pthread_t t;
void *f(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
void start(void) { pthread_create(&t, 0, f, 0); }
int main(void) { int i = 0; while (__VERIFIER_nondet_bool()) { if (i++ == 2) break; (*start)(); } assert(x <= 2); return 0; }

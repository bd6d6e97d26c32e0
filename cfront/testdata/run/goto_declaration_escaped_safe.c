// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void *g(void *p) { *(int *)p = 1; return 0; }
int f(_Bool c) { pthread_t t; if (!c) goto past; int y; pthread_create(&t, 0, g, &y); pthread_join(t, 0); past: return y; }
int main(void) { assert(f(1) == 1); return 0; }

// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void *f(void *x) { if (__VERIFIER_nondet_bool()) return (void *)3; pthread_exit((void *)4); }
int main() { pthread_t t; void *r; pthread_create(&t, 0, f, (void *)1); pthread_join(t, &r); long v = (long)r; assert(v == 3 || v == 4); return 0; }

// expect: SAFE
// A struct with an array stands over one that has an array elsewhere.
#include <assert.h>
#include <pthread.h>
struct Q { int *h, *v[2]; }; struct { int *x[2], *y; } u; int a, b, n;
extern int __VERIFIER_nondet_int(void);
static void *t(void *q) { struct Q *w = q; int i = __VERIFIER_nondet_int(); if (i == 0) w->v[i] = &a; return 0; }
int main(void) { u.y = &b; pthread_t x; pthread_create(&x, 0, t, &u); pthread_join(x, 0); *u.y = 7; assert(a == 0); return 0; }

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int g; extern int __VERIFIER_nondet_int(void);
int f(int c) { int r = 0; if (c > 2) goto in; for (int i = 0; i < 2; i++) { int k = i + 1; r += k; in: r++; } return r; }
void *h(void *p) { g = f(__VERIFIER_nondet_int()); return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,h,0); pthread_join(t,0); assert(g == 5); return 0; }

// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x, y; extern _Bool __VERIFIER_nondet_bool(void);
void *f(void *a) { x = 1; return 0; }
void *g(void *a) { y = 1; return 0; }
int main() { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
 _Bool c = __VERIFIER_nondet_bool(); pthread_t t = c ? a : b; pthread_join(t, 0); assert(c ? x == 1 : y == 1); return 0; }

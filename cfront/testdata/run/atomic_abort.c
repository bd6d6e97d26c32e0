// expect: SAFE
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int x;
void __VERIFIER_atomic_bad(void) { x = 1; abort(); }
void *f(void *a) { __VERIFIER_atomic_bad(); return 0; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); assert(x == 0); return 0; }

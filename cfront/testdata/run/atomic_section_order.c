// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x, y;
void *f(void *a) { __VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end(); return 0; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); int d; __VERIFIER_atomic_begin(); d = x - y; __VERIFIER_atomic_end(); assert(d == 0); return 0; }

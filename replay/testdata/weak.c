// expect: UNSAFE
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x; int ok[2];
void *f(void *p) { int e = 0; while (!atomic_compare_exchange_weak(&x, &e, 1)) { ok[0]++; if (ok[0] > 1) break; e = 0; } return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,f,0); pthread_join(t,0); assert(ok[0] < 2); return 0; }

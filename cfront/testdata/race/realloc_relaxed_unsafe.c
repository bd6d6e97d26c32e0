// expect: UNSAFE --check=race
// What realloc copies is written by who calls it; a relaxed store tells nobody that it has been.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int out; _Atomic(int *) g;
static void *w(void *x) { int *p = atomic_load_explicit(&g, memory_order_relaxed); if (p) out = p[0]; return 0; }
int main(void) { pthread_t t; int *q = malloc(4); *q = 3; pthread_create(&t,0,w,0); int *p = realloc(q, 8); atomic_store_explicit(&g,p,memory_order_relaxed); pthread_join(t,0); return 0; }

// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x;
void *g(void *a) { x = 2; return 0; }
void *f(void *a) { pthread_t t; pthread_create(&t, 0, g, 0); pthread_join(t, 0); return 0; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); pthread_join(a, 0); assert(x == 0); return 0; }

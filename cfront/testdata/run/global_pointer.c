// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x; int *p;
void *f(void *a) { *p = 1; return 0; }
int main() { pthread_t a; p = &x; pthread_create(&a, 0, f, 0); assert(x == 0); return 0; }

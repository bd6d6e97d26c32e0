// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
void *f(void *a) { int *p = a; *p = 1; return 0; }
int main() { pthread_t a; int x = 0; pthread_create(&a, 0, f, &x); assert(x == 0); return 0; }

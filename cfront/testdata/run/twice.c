// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *a) { x = 1; return 0; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); assert(x - x == 0); return 0; }

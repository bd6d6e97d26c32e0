// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x, y;
void *f(void *a) { x = 1; y = 1; return 0; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); int s = x + 2 * y; assert(s != 2); return 0; }

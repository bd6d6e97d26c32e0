// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x, y;
void *f(void *a) { x = 1; y = 1; return 0; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); int s = 2 * y + x; assert(s != 2); return 0; }

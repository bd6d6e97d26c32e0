// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *a) { assert(x == 0); return 0; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); x = 1; pthread_exit(0); }

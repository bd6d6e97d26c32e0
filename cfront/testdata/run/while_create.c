// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *a) { x++; assert(x < 3); return 0; }
int main() { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }

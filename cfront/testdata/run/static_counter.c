// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int next(void) { static int n = 0; int r = n; n = r + 1; return r; }
int a, b;
void *f(void *x) { a = next(); return 0; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); b = next(); pthread_join(t, 0); assert(a != b); return 0; }

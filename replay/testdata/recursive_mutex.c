// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m; int c;
int depth(int n) { pthread_mutex_lock(&m); int r = n ? 1 + depth(n-1) : 0; c++; pthread_mutex_unlock(&m); return r; }
void *f(void *p) { depth(2); return 0; }
int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m,&a); pthread_t t; pthread_create(&t,0,f,0); depth(1); int k = c; pthread_join(t,0); assert(k == 2 || k == 4); return 0; }

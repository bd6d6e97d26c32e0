// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
pthread_barrier_t b; int x, y, n;
void *f(void *p) { x = 1; pthread_barrier_wait(&b); n += y; pthread_barrier_wait(&b); return 0; }
void *g(void *p) { y = 1; pthread_barrier_wait(&b); n += x; pthread_barrier_wait(&b); return 0; }
int main(void) { pthread_t t,u; pthread_barrier_init(&b,0,2); pthread_create(&t,0,f,0); pthread_create(&u,0,g,0); pthread_join(t,0); pthread_join(u,0); assert(n == 2); return 0; }

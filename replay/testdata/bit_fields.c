// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
struct bits { unsigned a : 3; int : 0; int b : 5; char c; } q[2];
void *f(void *x) { struct bits *p = x; p->a += 5; p->b = -3; p->b--; return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,f,&q[1]); q[1].a |= 6; int v = q[1].b; pthread_join(t,0); assert(!(q[1].a == 3 && v == -3)); return 0; }

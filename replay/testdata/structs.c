// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
struct s { int a, b; } x = {1,2}, y, z[2];
void *f(void *p) { y = x; struct s l = y; z[1] = l; return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,f,0); struct s m = z[1]; x.a = 7; x.b = 8; pthread_join(t,0); assert(!(z[1].a == 1 && z[1].b == 8)); return 0; }

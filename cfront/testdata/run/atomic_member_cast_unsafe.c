// expect: UNSAFE
/* A member, of a struct that is seen as another one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct S { _Atomic int a; int b; } s;
struct P { int a, b; };

void *thread(void *arg)
{
	((struct P *)&s)->a++;
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(s.a == 2);
	return 0;
}

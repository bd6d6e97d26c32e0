// expect: UNSAFE
/* Whether ++ is one step is a matter of the type of the lvalue, not of the object. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic int x;

void *thread(void *arg)
{
	(*(int *)&x)++;
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(x == 2);
	return 0;
}

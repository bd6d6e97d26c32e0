// expect: SAFE
/* The parameter says whether ++ is one step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic int x;

void inc(_Atomic int *p) { (*p)++; }

void *thread(void *arg)
{
	inc(&x);
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

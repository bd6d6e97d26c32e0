// expect: UNSAFE
/* A pointer to one of several atomic objects, or to those as plain ones. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic int x[2], y;
int *p;
int __VERIFIER_nondet_int(void);

void *thread(void *arg)
{
	(*p)++;
	return 0;
}

int main(void)
{
	pthread_t t, u;
	p = (int *)(__VERIFIER_nondet_int() ? x : &y);
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(p != (void *)x || x[0] == 2);
	return 0;
}

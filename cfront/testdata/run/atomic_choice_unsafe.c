// expect: UNSAFE
/* ?: with NULL between atomic objects, or between those as plain ones. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

_Atomic int x;
int k = 1;

void *thread(void *arg)
{
	(*(k ? (int *)&x : NULL))++;
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

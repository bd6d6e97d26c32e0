// expect: SAFE
/* A nested function that another thread begins with finds the variables around it. */
#include <assert.h>
#include <pthread.h>

int main(void)
{
	int x = 0;
	void *f(void *arg)
	{
		x = 1;
		return 0;
	}
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	pthread_join(t, 0);
	assert(x == 1);
	return 0;
}

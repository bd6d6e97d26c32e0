// expect: UNSAFE --check=memory
/* main has ended by pthread_exit, and its locals with it. */
#include <pthread.h>

static void *thread(void *arg)
{
	*(int *)arg = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	int x = 0;
	pthread_create(&t, 0, thread, &x);
	pthread_exit(0);
}

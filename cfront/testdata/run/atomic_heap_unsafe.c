// expect: UNSAFE
/* Memory has the type that it is used as. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *p;

void *thread(void *arg)
{
	p[1]++;
	return 0;
}

int main(void)
{
	pthread_t t, u;
	p = calloc(2, sizeof *p);
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(p[1] == 2);
	return 0;
}

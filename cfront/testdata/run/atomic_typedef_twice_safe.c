// expect: SAFE
/* _Atomic by a typedef of a typedef, and by typeof. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef _Atomic int T;
typedef T U;
U x;
__typeof__(x) y;

void *thread(void *arg)
{
	x++, y++;
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(x == 2 && y == 2);
	return 0;
}

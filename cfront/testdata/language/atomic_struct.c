// expect: error 19:2: unsupported: _Atomic struct or union
#include <pthread.h>

struct pair { int a, b; };
_Atomic struct pair p;

void *thread(void *arg)
{
	struct pair q = {1, 2};
	p = q;
	return 0;
}

int main(void)
{
	pthread_t t;
	struct pair r;
	pthread_create(&t, 0, thread, 0);
	r = p;
	return 0;
}

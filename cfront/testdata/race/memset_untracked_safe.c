// expect: SAFE --check=race
/* memset of a few elements of an array of any length, by any number of threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int *data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {
	pthread_mutex_lock(&m);
	memset(data, 0, 2 * sizeof *data);
	pthread_mutex_unlock(&m);
	return a;
}
int main(void) {
	int n = __VERIFIER_nondet_int();
	pthread_t t;
	if (n < 0 || n > 1000)
		return 0;
	data = malloc((n + 4) * sizeof *data);
	if (!data)
		return 0;
	do
		pthread_create(&t, 0, f, 0);
	while (__VERIFIER_nondet_int());
	pthread_create(&t, 0, f, 0);
	pthread_exit(0);
}

// expect: UNSAFE --check=race
/* memcpy reads all bytes, also those that are padding where they go. */
#include <pthread.h>
#include <string.h>
struct s {
	char c;
	int x;
} to;
char from[9];
void *f(void *a) {
	from[2] = 1;
	return a;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	memcpy(&to, from, sizeof to);
	pthread_join(t, 0);
	return to.x;
}

// expect: SAFE
/* A transparent union is passed as its first member: a pointer of any member's type may be given. */
#include <assert.h>

typedef union { int *p; float *q; } any __attribute__((transparent_union));
typedef union { int i; float f; } number __attribute__((transparent_union));

int g;

int set(any u, int k)
{
	*u.p = k;
	return k;
}

int forward(any u) { return set(u, 7); }

int value(number v) { return v.i; }

int (*pointer)(any, int) = set;

int main(void)
{
	float *q = (float *)&g;
	any u;
	set(&g, 3);
	assert(g == 3);
	set(q, 4);
	assert(g == 4);
	u.p = &g;
	pointer(u, 9);
	assert(g == 9);
	pointer(&g, 10);
	assert(g == 10);
	assert(value(6) == 6);
	assert(value(0.0f) == 0);
	forward(&g);
	assert(g == 7);
	return 0;
}

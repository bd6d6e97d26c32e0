// expect: SAFE
/* memset of memory that is one of two objects: what is padding in one is part of a number in the other. */
#include <assert.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct s {
	char c;
	int x;
} one;
int two[2] = {0x01010101, 1};
int main(void) {
	void *p = __VERIFIER_nondet_int() ? (void *)&one : (void *)two;
	memset(p, 0, 8);
	if (p == two)
		assert(two[0] == 0);
	return 0;
}

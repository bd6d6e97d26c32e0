// expect: SAFE
/* memcpy between objects of two shapes. */
#include <assert.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct s {
	char c;
	short x;
} one, from_one = {1, 2};
short two[2] = {0x0101, 1}, from_two[2] = {5, 0x0a0b};
int main(void) {
	int first = __VERIFIER_nondet_int();
	void *p = first ? (void *)&one : (void *)two;
	memcpy(p, first ? (void *)&from_one : (void *)from_two, sizeof two);
	if (first) {
		assert(one.c == 1 && one.x == 2);
	} else {
		assert(two[0] == 5);
		assert(two[1] == 0x0a0b);
	}
	return 0;
}

// expect: UNSAFE
/* memcpy of any element of an array of structs with padding, behind members that are laid out in another way. */
#include <assert.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct inner {
	char c;
	int x;
};
struct outer {
	int head[4];
	short odd;
	struct inner a[3];
} to, from;
int main(void) {
	int i = __VERIFIER_nondet_int();
	if (i < 0 || i > 2)
		return 0;
	for (int j = 0; j < 3; j++) {
		from.a[j].c = j;
		from.a[j].x = (j + 1) * 0x01010101;
	}
	memcpy(&to.a[i], &from.a[i], sizeof(struct inner));
	assert(to.a[i].c == i);
	assert(to.a[i].x == (i + 2) * 0x01010101);
	return 0;
}

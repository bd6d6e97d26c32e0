// expect: error 8:2: unsupported: pointer of another type than the variable it points to
#include <assert.h>

int x = 0x1ffff;

int main(void)
{
	__sync_fetch_and_add((short *)&x, 1); /* two bytes only */
	assert(x == 0x10000);
	return 0;
}

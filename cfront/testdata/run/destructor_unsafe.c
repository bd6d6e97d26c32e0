// expect: UNSAFE
/* Destructors run when main returns, after what atexit is given. */
#include <assert.h>
#include <stdlib.h>

static int handled;

static void handler(void) { handled = 1; }

__attribute__((destructor)) static void last(void) { assert(!handled); }

int main(void)
{
	atexit(handler);
	return 0;
}

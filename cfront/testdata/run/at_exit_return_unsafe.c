// expect: UNSAFE
/* What atexit is given runs when main returns. */
#include <assert.h>
#include <stdlib.h>

static int done;

static void check(void) { assert(done); }

int main(void)
{
	atexit(check);
	return done;
}

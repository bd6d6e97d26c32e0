// expect: UNSAFE
// A call through a pointer to one of several functions that take fewer arguments.
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int one() { return 1; }
int two() { return 2; }

int main(void) {
    int (*f)() = __VERIFIER_nondet_bool() ? one : two;
    int r = f(7);
    assert(r == 1 || r == 1);
    return 0;
}

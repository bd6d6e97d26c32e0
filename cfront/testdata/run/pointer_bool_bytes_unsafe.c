// expect: UNSAFE
// A pointer to bool variables, one of which is chosen when the program runs.
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    _Bool a = 1, b = 1;
    _Bool *p = __VERIFIER_nondet_bool() ? &a : &b;
    assert(*p == 1);
    *p = 1;
    assert(a + b == 1);
    return 0;
}

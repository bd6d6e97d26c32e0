// expect: SAFE
// Variables of the same name that one macro declares, in blocks within one another.
#include <assert.h>

#define CHANGE(x) { int k = 1; int *p = &k; { int k = 2; *p = 5; x = k; } assert(k == 5); }
#define STATICS(x, y) { static int c = 1; x = &c; { static int c = 2; y = &c; } }
#define OWN(x, y) { static _Thread_local int c = 1; x = &c; { static _Thread_local int c = 2; y = &c; } }

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int n, *p, *q;
    CHANGE(n)
    assert(n == 2);
    STATICS(p, q)
    *(__VERIFIER_nondet_bool() ? p : q) = 7;
    assert(*p == 7 ? *q == 2 : *p == 1 && *q == 7);
    OWN(p, q)
    *p = 4;
    assert(*q == 2);
    return 0;
}

// expect: UNSAFE
// Addresses that are shifted and complemented, and back.
#include <assert.h>
#include <stdint.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int a = 1, b = 2, c = 3;
    int *q = __VERIFIER_nondet_bool() ? &b : &c;
    uintptr_t u = (uintptr_t)q, s = u >> 2, t = ~u;
    int *p = __VERIFIER_nondet_bool() ? &a : (int *)(s << 2);
    assert(*p == 1 || *p == 2 || *p == 1);
    p = __VERIFIER_nondet_bool() ? &a : (int *)~t;
    assert(*p == 1 || *p == 2 || *p == 1);
    return 0;
}

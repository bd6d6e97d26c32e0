// expect: UNSAFE
// A variable with the type of a bit-field's value has as many bits as that.
#include <assert.h>

struct { unsigned p : 8, q : 4; int r : 8; unsigned long w : 40; } x;

int main(void) {
    __auto_type a = (0, x.p);
    __typeof__((0, x.q)) b = 300;
    __auto_type c = (0, x.r);
    __auto_type d = (0, x.w);
    a = 300;
    c = 200;
    d = (1ul << 41) + 5;
    assert(a == 300 && b == 12 && c == -56 && d == 5);
    assert(sizeof a == 1 && sizeof b == 1 && sizeof d == 8);
    return 0;
}

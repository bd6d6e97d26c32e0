// expect: SAFE
#include <assert.h>
int add(int a, int b) { return a + b; }
int twice(int a) { int t = add(a, a); return t; }
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { int c = __VERIFIER_nondet_uchar(); assert(add(twice(c), twice(add(c, 1))) == 4 * c + 2); assert(add(add(1, c), add(2, c)) - add(c, c) == 3); return 0; }

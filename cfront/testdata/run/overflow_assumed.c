// expect: SAFE
#include <assert.h>
extern signed char __VERIFIER_nondet_schar(void);
int main() { int x = 2147483600 + __VERIFIER_nondet_schar(); int y = x + 100; assert(y > x); return 0; }

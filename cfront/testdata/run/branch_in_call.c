// expect: SAFE
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
void bump(int *p, _Bool c) { if (c) *p = *p + 1; while (*p < 5) *p += 2; }
int get(int *p, _Bool c) { bump(p, c); return 100; }
int main() { _Bool c = __VERIFIER_nondet_bool(); int k = 1; int s = 1 + get(&k, c); assert(s == 101); assert(k == (c ? 6 : 5)); return 0; }

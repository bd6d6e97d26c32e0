// expect: SAFE
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main() { int st = 0, steps = 0; unsigned char n = __VERIFIER_nondet_uchar() % 4;
 while (st != 3) { switch (st) { case 0: st = n ? 1 : 3; break; case 1: n--; if (n) continue; st = 2; /* fall through */ case 2: st = 3; steps = 1; break; default: assert(0); } }
 assert(n == 0); return steps; }

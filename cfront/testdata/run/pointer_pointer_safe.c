// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = 2, *p = &x, *q = &y, **pp = __VERIFIER_nondet_int() ? &p : &q;
  **pp = 7;
  *pp = &y;
  assert(*pp == &y);
  if (pp == &p) assert(p == &y && x == 7 && y == 2);
  else assert(q == &y && y == 7 && p == &x && x == 1);
  return 0;
}

// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int mul(int a, int b) { return a * b; }
int (*table[3])(int, int) = {add, sub, mul};
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 2) return 0;
  int r = table[i](6, 3), (*g)(int, int) = i ? add : sub;
  assert(r == (i == 0 ? 9 : i == 1 ? 3 : 18));
  assert(g(1, 2) == (i ? 3 : -1));
  return 0;
}

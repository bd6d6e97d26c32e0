// expect: SAFE
#include <assert.h>
enum { E = 4 };
int __VERIFIER_nondet_int(void);
int half(int x) { return __builtin_constant_p(x) ? x / 2 : (x - x % 2) / 2; }
int main(void) {
  int i = 0, x = __VERIFIER_nondet_int();
  char a[__builtin_constant_p(E + 3) ? 2 : 3];
  assert(__builtin_constant_p(3) && __builtin_constant_p(sizeof i) && __builtin_constant_p("abc") && sizeof a == 2);
  assert(half(x) == x / 2 && (__builtin_constant_p(i++) || i == 0));
  return 0;
}

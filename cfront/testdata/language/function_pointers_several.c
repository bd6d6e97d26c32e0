// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int up(int x) { return x + 1; }
int down(int x) { return x - 1; }
int main(void) {
  int c = __VERIFIER_nondet_int(), (*f[2])(int) = {up, down};
  assert(f[c != 0](5) == (c ? 4 : 6));
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct s { int v; } a, b;
int set(int x) { b.v = x; return x; }
int two(struct s x, struct s y, int z) { return x.v * 10 + y.v; }
int main(void) {
  struct s c; c.v = 2; a.v = 1;
  int r = two(a, c, set(2));
  assert(r == 12);
  a.v = 2;
  r = two(b = a, c, 5);
  assert(r == 22 && b.v == 2);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct s { int v, w[2]; } g;
struct s f(int c) { struct s r; r.w[1] = 1; if (c) { r.v = 4; return r; } g.v = 3; return g; }
struct s second(struct s a, struct s b) { return a; }
struct s sum(struct s a, struct s b) { a.v = a.v + b.v; return a; }
int main(void) {
  struct s a, b, c, d; a.v = 3; b.v = 4;
  c = second(a, second(b, a));
  assert(c.v == 3);
  d = sum(a, sum(b, second(sum(a, b), a)));
  assert(d.v == 14);
  d = sum(f(0), f(1));
  assert(d.v == 7 && f(0).v == 3 && f(1).v == 4);
  return 0;
}

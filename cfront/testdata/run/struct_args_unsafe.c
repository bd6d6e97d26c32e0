// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
struct s { int v; } g;
struct s local(int x) { struct s r; r.v = x; return r; }
struct s global(int x) { g.v = x; return g; }
int two(struct s x, struct s y) { return x.v * 10 + y.v; }
int main(void) {
  assert(two(local(1), local(2)) == 22);
  assert(two(global(3), global(4)) == 34);
  return 0;
}

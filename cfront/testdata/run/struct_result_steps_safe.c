// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct s { int v; } g;
struct s __VERIFIER_atomic_get(void) { g.v = 1; return g; }
int id(struct s x) { return x.v; }
void *f(void *p) { g.v = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  __VERIFIER_atomic_get();
  int r = id(g);
  assert(r == 1 || r == 0);
  assert(id(__VERIFIER_atomic_get()) == 1);
  return 0;
}

// expect: SAFE
// A pointer to objects of different shapes: what is written is one int here, and four characters there.
#include <assert.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct number { int n; char name[4]; };
struct named { char name[4]; int n; };
int main(void) {
  struct number p = {1, "ab"};
  struct named q = {"cd", 2};
  int z = 7, first = __VERIFIER_nondet_int() != 0;
  void *v = first ? (void *)&p : (void *)&q;
  memcpy(v, &z, sizeof z);
  assert(p.n == (first ? 7 : 1));
  assert(q.name[0] == (first ? 'c' : 7) && q.name[1] == (first ? 'd' : 0));
}

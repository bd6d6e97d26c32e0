// expect: SAFE
#include <assert.h>
#include <stdint.h>
#include <stddef.h>
int __VERIFIER_nondet_int(void);
struct s { int a; int b[3]; };
int main(void) {
  struct s s = {1, {2, 3, 4}};
  int *p = &s.b[0];
  struct s *q = (struct s *)((char *)p - offsetof(struct s, b));
  assert(q->a == 1);
  int *r = (int *)((uintptr_t)p + 2 * sizeof(int));
  assert(*r == 4 && r - p == 2 && (char *)r - (char *)p == 8);
  return 0;
}

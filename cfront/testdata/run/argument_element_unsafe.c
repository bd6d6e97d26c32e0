// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct s { int id, out; } a[3];
void *f(void *p) { struct s *s = p; s->out = s->id + 1; return 0; }
int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 2) return 0;
  a[i].id = 5;
  pthread_create(&t, 0, f, &a[i]);
  pthread_join(t, 0);
  assert(a[0].out == 6 && a[0].out + a[1].out + a[2].out == 6);
  return 0;
}

// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int x;
void *f(void *a) { x = 1; return a; }
void *g(void *a) { x = 2; return a; }
int main(void) {
  pthread_t t;
  int c = __VERIFIER_nondet_int();
  pthread_create(&t, 0, c ? f : g, 0);
  pthread_join(t, 0);
  assert(x == (c ? 2 : 1));
  return 0;
}

// expect: UNSAFE
// One of two calls allocates what the second allocation comes after.
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
int *g, *h;
int *mk(int v) { int *p = malloc(sizeof(int)); *p = v; return p; }
void *f(void *arg) { ++*g; return 0; }
int main(void) {
  pthread_t t;
  if (__VERIFIER_nondet_int()) g = mk(1); else g = mk(10);
  h = mk(5);
  pthread_create(&t, 0, f, 0);
  assert(*g + *h != 16);
  return 0;
}

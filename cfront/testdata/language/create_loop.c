// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
int x;
void *f(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0);
  int v = x;
  assert(v == 0);
  return 0;
}

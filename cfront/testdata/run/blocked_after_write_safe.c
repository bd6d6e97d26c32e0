// expect: SAFE
#include <pthread.h>
#include <assert.h>
void __VERIFIER_assume(int);
int x;
/* Nobody sees a write of a thread that waits forever before it. */
void *f(void *p) { int t = x; __VERIFIER_assume(t == 7); x = 1; return 0; }
int main(void) {
  pthread_t i;
  pthread_create(&i, 0, f, 0);
  assert(x == 0);
  return 0;
}

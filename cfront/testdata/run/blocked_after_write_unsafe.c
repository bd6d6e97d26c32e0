// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
void __VERIFIER_assume(int);
int x;
/* Others see the write of a thread that waits forever after it. */
void *f(void *p) { int t = x; x = 1; __VERIFIER_assume(t == 7); x = 2; return 0; }
int main(void) {
  pthread_t i;
  pthread_create(&i, 0, f, 0);
  assert(x == 0);
  return 0;
}

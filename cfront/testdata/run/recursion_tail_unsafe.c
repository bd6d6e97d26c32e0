// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
int x;
/* the parameters change at once */
int swapped(int a, int b, int n) { return n == 0 ? a - b : swapped(b, a, n - 1); }
int drain(int n, int k) { if (n == 0) return k; x++; return drain(n - 1, k + 1); }
void *f(void *a) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n <= 5) drain(n, 0); return 0; }
int main(void) {
  pthread_t t;
  assert(swapped(1, 5, 3) == 4);
  pthread_create(&t, 0, f, 0);
  int y = x;
  pthread_join(t, 0);
  assert(y < x);
  return 0;
}

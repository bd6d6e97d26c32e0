// expect: SAFE
#include <assert.h>
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int fib(int n) { int a, b; if (n < 2) return n; a = fib(n - 1); b = fib(n - 2); return a + b; }
int main(void) {
  assert(fact(5) == 120 && fact(9) == 362880);
  assert(even(6) && !even(5));
  assert(fib(7) == 13);
  return 0;
}

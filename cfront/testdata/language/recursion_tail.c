// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int gcd(int a, int b) { if (b == 0) return a; return gcd(b, a % b); }
void count(int n, int *sum) { if (n <= 0) return; *sum += n; count(n - 1, sum); }
int main(void) {
  int sum = 0, n = __VERIFIER_nondet_int();
  assert(gcd(12, 18) == 6);
  if (n < 0 || n > 20) return 0;
  count(n, &sum);
  assert(2 * sum == n * (n + 1));
  return 0;
}

/* The bytes of decimal constants, and what only copies them. */
#include <stdio.h>
static _Decimal64 d[] = {1.5DD, -0.25DD, 9999999999999999.DD, 3e300DD, 0.DD, 123456789.125DD};
static _Decimal32 s[] = {1.5DF, 9999999.DF, -8388608.DF, 7E-20DF};
static _Decimal128 q[] = {1.5DL, 1234567890123456789012345678901234.DL, -1e-3000DL};
static struct pair { _Decimal64 a; int b; } p = {2.5DD, 3}, r;
static void show(const void *x, unsigned n) { for (unsigned i = 0; i < n; i++) printf("%02x", ((const unsigned char *)x)[i]); puts(""); }
static _Decimal64 pass(_Decimal64 x, int k) { return k ? pass(x, k - 1) : x; }
int main(void) {
  show(d, sizeof d); show(s, sizeof s); show(q, sizeof q);
  r = p;
  _Decimal64 x = pass(r.a, 3);
  show(&x, sizeof x);
  return r.b;
}

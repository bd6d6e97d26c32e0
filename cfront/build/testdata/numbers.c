/* Arithmetic of all types and conversions between them. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdint.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print128(u128 x) { printf("%016llx%016llx ", (unsigned long long)(x >> 64), (unsigned long long)x); }

static int calls;
static int once(int x) { calls++; return x; }

int main(void) {
  signed char sc = -128; unsigned char uc = 255; short sh = 32767; unsigned short us = 65535;
  sc--; uc++; sh++; us += 2;
  printf("%d %d %d %d\n", sc, uc, sh, us);
  sc = 100; sc += 100; uc = 3; uc -= 5; us <<= 14; sh >>= 3;
  printf("%d %d %d %d\n", sc, uc, sh, us);
  _Bool b = 5; b++; b--; int was = b--; b ^= 3;
  printf("%d %d %d\n", b, was, (_Bool)0.5);
  unsigned u = 4000000000u; int i = -7; long l = -7; unsigned long ul = ~0ul;
  printf("%d %d %u %d\n", i / 2, i % 3, u / -1, u > i);
  printf("%ld %lu %d %d\n", l >> 1, ul >> 60, (int)ul, ul > -1);
  printf("%d %u %lld\n", (int)u, (unsigned)i, (long long)u * u);
  u128 big = (u128)ul * ul + 12345;
  print128(big); print128(big / 1000003); print128(big % 1000003); print128(-big); print128((i128)-5 >> 1); print128(big << 77 | big >> 51);
  printf("%d\n", (i128)-5 < (i128)3);
  float f = 0.1f; double d = 0.1; long double ld = 0.1L;
  printf("%.9g %.17g %.17g %d %d\n", f, d, (double)ld, f == d, f + f == 0.2f);
  f += 1e10; d *= 3; d -= i; f++; --d;
  printf("%.9g %.17g\n", f, d);
  printf("%d %u %ld %d\n", (int)-3.99, (unsigned)3.99f, (long)1e18, (signed char)100.7);
  printf("%.17g %.9g %.17g\n", (double)ul, (float)16777217, (double)INT64_MIN);
  printf("%g %g %d %d\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0 == 0.0 / 0.0, !(0.0 / 0.0));
  i = 10; i *= 2.5; printf("%d ", i); i /= 0.3; printf("%d ", i); uc = 200; uc *= 1.3; printf("%d ", uc); i += 0.9; printf("%d\n", i);
  int x = 5, y = once(3) + once(4) * once(2);
  x <<= 3; x |= 1; x &= ~8; x ^= 0x55; x %= 17;
  printf("%d %d %d %d\n", x, y, calls, -x + +y - ~x);
  printf("%d %d %d\n", 1 << 4 >> 2, -17 / 5 * 5 + -17 % 5, (unsigned char)~0 >> 4);
  const char *p = "hello", *q = p + 4;
  printf("%td %c %d %d %d\n", q - p, *--q, p < q, p != 0, !p);
  uintptr_t a = (uintptr_t)p; printf("%c %d\n", *(char *)(a + 1), (a & 0) == 0);
  enum { A = -1, B = 3, C } e = C; e++; printf("%d %d\n", e, A + B);
  printf("%d %d %d\n", sizeof(char) == 1, (int)sizeof(long double), (int)_Alignof(double));
  printf("%ld %d\n", (long)INT_MAX + 1, 'a' + L'b');
  int arr[5] = {1, 2, 3}, *pa = arr; pa++; *pa++ += 5; pa[1] = *(pa - 1) * 2; printf("%d %d %d\n", arr[1], arr[3], 2[arr]);
  return (int)(d * 0);
}

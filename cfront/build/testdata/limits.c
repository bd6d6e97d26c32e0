/* Constants at the limits of their types: as values, in objects that are initialised, as bit-fields, converted to other types. */
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
enum small { A = -128, B = 127 };
enum large { C = INT_MIN, D = UINT_MAX };
enum huge { E = LONG_MIN, F = LONG_MAX };
enum top { G = ULONG_MAX };
struct bits { int one : 1; unsigned three : 3; long wide : 63; unsigned long all : 64; _Bool b : 1; int five : 5; };

static void raw(const void *p, size_t n) {
  for (const unsigned char *c = p; n > 0; n--) printf("%02x", c[n - 1]);
  printf(" ");
}

#define BYTES(T, X) (sizeof(T) == sizeof(long double) && (T)0.5 != 0 ? 10 : sizeof(X))
#define AS(T, X) do { T y = (X); long double f = (X); _Bool b = (X); raw(&y, BYTES(T, y)); printf("%d ", b); raw(&f, 10); } while (0)
#define LIMIT(T, X) do { \
    static T was = (X); T now = (X); T other = 0; int less = now < other, same = was == now, more = (X) > 0; \
    raw(&was, BYTES(T, was)); raw(&now, BYTES(T, now)); printf("%d%d%d ", less, same, more); \
    AS(signed char, X); AS(unsigned short, X); AS(int, X); AS(unsigned, X); AS(long, X); AS(unsigned long, X); AS(i128, X); AS(u128, X); \
    printf("\n"); } while (0)
#define ADDRESS(X) do { \
    static void *was = (void *)(X); static char *off = (char *)(X) + 1; void *now = (void *)(X); \
    raw(&was, sizeof was); raw(&off, sizeof off); raw(&now, sizeof now); \
    long l = (long)now; unsigned long u = (unsigned long)(void *)(X); i128 w = (i128)now; u128 v = (u128)(void *)(X); int i = (long)now; _Bool b = now; \
    raw(&l, sizeof l); raw(&u, sizeof u); raw(&w, sizeof w); raw(&v, sizeof v); raw(&i, sizeof i); \
    printf("%d%d%d%d ", b, was == now, now == (void *)-1, (char *)now > (char *)1); \
    switch ((unsigned long)now) { case 0 ... 1: printf("low\n"); break; case LONG_MAX ... LONG_MAX + 1UL: printf("middle\n"); break; \
      case ULONG_MAX: printf("top\n"); break; default: printf("other\n"); } } while (0)

int main(void) {
  LIMIT(_Bool, 0); LIMIT(_Bool, 1);
  LIMIT(signed char, SCHAR_MIN); LIMIT(signed char, SCHAR_MAX); LIMIT(unsigned char, UCHAR_MAX); LIMIT(char, CHAR_MIN);
  LIMIT(short, SHRT_MIN); LIMIT(short, SHRT_MAX); LIMIT(unsigned short, USHRT_MAX);
  LIMIT(int, INT_MIN); LIMIT(int, INT_MAX); LIMIT(unsigned, UINT_MAX);
  LIMIT(long, LONG_MIN); LIMIT(long, LONG_MAX); LIMIT(unsigned long, ULONG_MAX); LIMIT(unsigned long, LONG_MAX + 1UL);
  LIMIT(i128, (i128)1 << 126); LIMIT(i128, -((i128)1 << 126) - ((i128)1 << 126)); LIMIT(u128, ~(u128)0); LIMIT(u128, (u128)1 << 127); LIMIT(u128, (u128)1 << 64);
  LIMIT(wchar_t, WCHAR_MIN); LIMIT(wchar_t, WCHAR_MAX);
  LIMIT(enum small, A); LIMIT(enum small, B); LIMIT(enum large, C); LIMIT(enum large, D); LIMIT(enum huge, E); LIMIT(enum huge, F); LIMIT(enum top, G);
  ADDRESS(0); ADDRESS(1); ADDRESS(LONG_MAX); ADDRESS(LONG_MAX + 1UL); ADDRESS(-1L); ADDRESS(-2); ADDRESS(UINT_MAX); ADDRESS(INT_MAX + 1UL);
  static struct bits low = {-1, 0, -(1L << 62), 0, 0, -16}, high = {0, 7, (1L << 62) - 1, ULONG_MAX, 1, 15};
  struct bits x = low, y = high, z = {-1, 7, -(1L << 62), ULONG_MAX, 1, -16};
  printf("%d %d %ld %lu %d %d\n", x.one, x.three, (long)x.wide, (unsigned long)x.all, x.b, x.five);
  printf("%d %d %ld %lu %d %d\n", y.one, y.three, (long)y.wide, (unsigned long)y.all, y.b, y.five);
  printf("%d %d %ld %lu %d %d\n", z.one, z.three, (long)z.wide, (unsigned long)z.all, z.b, z.five);
  static float fs[] = {FLT_MAX, -FLT_MAX, FLT_MIN, FLT_TRUE_MIN, -0.0f};
  static double ds[] = {DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, -0.0};
  static long double ls[] = {LDBL_MAX, -LDBL_MAX, LDBL_MIN, LDBL_TRUE_MIN, -0.0L};
  float fn[] = {FLT_MAX, -FLT_MAX, FLT_MIN, FLT_TRUE_MIN, -0.0f};
  double dn[] = {DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, -0.0};
  long double ln[] = {LDBL_MAX, -LDBL_MAX, LDBL_MIN, LDBL_TRUE_MIN, -0.0L};
  for (int i = 0; i < 5; i++) {
    raw(&fs[i], 4); raw(&ds[i], 8); raw(&ls[i], 10); raw(&fn[i], 4); raw(&dn[i], 8); raw(&ln[i], 10);
    printf("%d %d %d\n", fs[i] == fn[i], ds[i] == dn[i], ls[i] == ln[i]);
  }
}

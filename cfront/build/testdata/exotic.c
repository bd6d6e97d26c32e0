/* What programs rarely have, each in a line or two. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct arr { int a[3]; };
static struct arr getarr(int k) { return (struct arr){{k, k + 1, k + 2}}; }
struct empty {};
static struct empty nothing(struct empty e) { return e; }
static int count_empty(int n, ...) { va_list ap; va_start(ap, n); va_arg(ap, struct empty); int r = va_arg(ap, int); va_end(ap); return r; }
typedef union { int *ip; const char *cp; } __attribute__((transparent_union)) any;
static int first(any a) { return *a.ip & 0xff; }
union u { int i; float f; };
static float asfloat(union u x) { return x.f; }
static long double ld(long double x, int n) { return n ? ld(x * 1.5L - 0.25L, n - 1) : x; }
static int (*pick(int k))(const char *, const char *) { return k ? strcmp : 0; }
static struct { struct arr (*f)(int); int n; } table[] = {{getarr, 1}, {getarr, 10}};
static int zero_len(void) { struct { int n; int tail[0]; } *p = malloc(12); p->n = 1; p->tail[0] = 2; p->tail[1] = 3; int r = p->n + p->tail[0] + p->tail[1]; free(p); return r; }
static int rec(int n) { static int depth, most; depth++; if (depth > most) most = depth; if (n) rec(n - 1); depth--; return most; }
enum color { RED, GREEN = 5, BLUE }; struct eb { enum color c : 4; unsigned u : 12; long long l : 33; };
static int vlaptr(int n) { int (*p)[n] = malloc(sizeof(int[3][n])); for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) p[i][j] = i * n + j; int s = p[2][n - 1] + (int)(sizeof *p) + (int)(&p[2][0] - &p[0][0]); typeof(*p) row; memcpy(row, p[1], sizeof row); s += row[n - 1]; free(p); return s; }
static int vlastruct(int n) { struct { char a[n]; int b; } s, t; s.b = n; memset(s.a, 7, n); t = s; return t.b + t.a[n - 1] + (int)sizeof s; }
static char *both(int c) { return c ? "yes" : 0; }
static int effects; static int side(int x) { effects++; return x; }
static inline __attribute__((always_inline)) int inl(int x) { return x + 1; }
static int noreturn_path(int x) { if (x > 100) abort(); switch (x) { case 1: return 1; default: __builtin_unreachable(); } }
static void out(int *r) { *r = 5; }
static long long labels(int k) { static const int off[] = {&&a - &&a, &&b - &&a, &&c - &&a}; goto *(&&a + off[k]); a: return 1; b: return 2; c: return 3; }

int main(void) {
  printf("%d %d\n", getarr(4).a[2], table[1].f(table[1].n).a[1]);
  struct empty e = nothing(e); (void)e;
  printf("%zu %d\n", sizeof e, count_empty(2, e, 42));
  int i = 0x141; printf("%d %d\n", first(&i), first("Bcde"));
  printf("%g %g\n", asfloat((union u)0x3f800000), asfloat((union u)2.5f));
  printf("%.15Lg %d\n", ld(1.0L, 20), pick(1)("a", "b") < 0);
  printf("%d %d\n", zero_len(), rec(5));
  struct eb eb = {BLUE, 4095, -1}; eb.u++; eb.l -= 5; eb.c--; printf("%d %d %lld %d\n", eb.c, eb.u, (long long)eb.l, eb.c == GREEN);
  printf("%d %d\n", vlaptr(4), vlastruct(9));
  printf("%s %d\n", both(1), both(0) == NULL);
  wchar_t w[] = L"wide\u00e9", *wp = w; while (*wp) wp++; printf("%d %d %zu\n", (int)(wp - w), w[4], sizeof u"ab" + sizeof U"ab" + sizeof u8"ab");
  int n = 3, m[2][2] = {{side(1), side(2)}, {[1] = side(3)}}; printf("%d %d %d\n", m[0][1], m[1][1], effects);
  printf("%d %d\n", sizeof(side(1)) == 4, effects);
  printf("%d\n", _Generic(n, long: 1, int: 2, default: 3) + _Generic("s", char *: 10, default: 20));
  __auto_type q = &n; *q += 4; typeof(n) z = n; printf("%d %d\n", z, *q);
  if (({ int t = n; t > 5; }) && !({ out(&i); i == 6; })) printf("stmt %d\n", i);
  for (int k = 0; ({ if (k == 3) goto leave; 1; }); k++) printf("%d", k);
leave:
  printf(" %lld %lld %lld\n", labels(0), labels(1), labels(2));
  unsigned char c = 255; c++; c += 1000; signed char sc = c; sc <<= 1; printf("%d %d %d\n", c, sc, (c ^ ~c) == -1);
  long long ll = 1LL << 40; switch (ll) { case 1LL << 40: puts("big"); break; default: puts("no"); }
  _Bool t = &n, f = 0.0, g = (void *)0; t ^= 1; printf("%d %d %d %d\n", t, f, g, t + !f);
  printf("%d %d\n", inl(4), noreturn_path(1));
  int arr[] = {5, 4, 3}, *p = arr + 2; --p; printf("%d %d %td %d\n", p[-1], *p, p - arr, (p > arr) + (&arr[3] == arr + 3));
  char buf[16] = {[3] = 'x', 'y', [0 ... 2] = '-'}; printf("%s\n", buf);
  struct { int a, b; } s = {.b = 1, .a = 2}, *sp = &s; sp->a ^= sp->b ^= sp->a ^= 0; printf("%d %d\n", s.a, s.b);
  double d = 1e308 * 10, nan = d - d; printf("%d %d %d %g\n", d > 1e308, nan == nan, nan != nan, (float)1e40);
  printf("%d %ld %u\n", (int)(char)200, (long)(unsigned)-1, (unsigned)(short)-1);
  const char *strs[] = {"a", "b" "c", [3] = "d"}; printf("%s %d %zu\n", strs[1], strs[2] == 0, sizeof strs / sizeof *strs);
  for (int k = 0; k < 3; k++) { struct arr *lp = &(struct arr){{k}}; lp->a[1] += k; printf("%d%d ", lp->a[0], lp->a[1]); }
  int x = 1; x = (x++, x + 1); x += (x > 2) ? x-- : 0; printf("%d\n", x);
  do { if (n-- == 5) continue; } while (n > 3); printf("%d\n", n);
  void (*fp)(int *) = out; (*****fp)(&n); (&out == fp) ? printf("%d\n", n) : puts("?");
  volatile int v = 3; int before = v; v++; v += v; printf("%d %d\n", before, v);
  return (unsigned char)-3 >> 4;
}

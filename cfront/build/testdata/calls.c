/* Calls: variadic, through pointers, old style, recursive, with structs; setjmp; nested functions; complex; vectors. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

struct pair { int a; double b; };
static double total(int n, ...) {
  va_list ap, copy;
  double s = 0;
  va_start(ap, n);
  va_copy(copy, ap);
  for (int i = 0; i < n; i++)
    switch (i % 4) {
    case 0: s += va_arg(ap, int); break;
    case 1: s += va_arg(ap, double); break;
    case 2: s += va_arg(ap, long long); break;
    case 3: { struct pair p = va_arg(ap, struct pair); s += p.a * p.b; }
    }
  s += va_arg(copy, int);
  va_end(copy);
  va_end(ap);
  return s;
}
static int format(char *to, const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  int n = vsprintf(to, f, ap);
  va_end(ap);
  return n;
}
static int old(c, f, s) char c; float f; short *s; { return c + f + *s; }
static int undeclared_args() { return 7; }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const table[])(int, int) = {add, sub, &add};
typedef int (*op)(int, int);
static op choose(int k) { return k ? sub : add; }
static int apply(op f, int n) { return n ? apply(choose(n & 1), n - 1) + f(n, 1) : 0; }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static jmp_buf env;
static void deep(int n) { if (n == 0) longjmp(env, 3); deep(n - 1); }
static int jumps(void) {
  volatile int tries = 0;
  int r = setjmp(env);
  if (tries++ < 3) deep(r + 2);
  return r * 10 + tries;
}
static int nested(int n) {
  int base = n, hits = 0;
  int twice(int x) { hits++; return x * 2 + base; }
  int rec(int k) { return k ? rec(k - 1) + twice(k) : base; }
  base++;
  int r = rec(3);
  int call(int (*f)(int)) { return f(5); }
  return r * 100 + call(twice) + hits;
}
static int escape(int n) {
  __label__ fail;
  void check(int k) { if (k > 3) goto fail; }
  for (int i = 0; i < n; i++) check(i);
  return 0;
fail:
  return 1;
}
typedef int v4 __attribute__((vector_size(16)));
static v4 blend(v4 a, v4 b) { return (a > b) * a + (a <= b) * b * 2; }

int main(void) {
  struct pair p = {3, 0.5};
  printf("%g %g\n", total(4, 1, 2.5, 3LL, p), total(8, 'a', 2.5f, -3LL, p, 1, 2.0, 4LL, p));
  char buf[100];
  int n = format(buf, "%s-%d-%5.2f-%c|%-5d|%05d|%x", "str", 42, 3.14159, 'z', 7, -42, 255);
  printf("%d %s\n", n, buf);
  short s = 4;
  printf("%d %d\n", old('a', 2.75, &s), undeclared_args());
  printf("%d %d %d %d\n", table[1](5, 3), (*choose(0))(1, 2), apply(add, 6), ack(2, 3));
  printf("%d %d\n", jumps(), nested(2));
  printf("%d %d\n", escape(2), escape(9));
  double complex z = 1 + 2 * I, w = z * z / (3 - I);
  w += 1; z = -z;
  printf("%.6f %.6f %g %g %d\n", creal(w), cimag(w), creal(z), __imag__ z, z == -1 - 2 * I);
  __real__ z = 9;
  printf("%g %g\n", __real__ z, __imag__ ~z);
  v4 a = {1, 2, 3, 4}, b = {4, 3, 2, 1}, c = blend(a, b);
  c[1] += 100; c <<= 1;
  printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
  v4 d = a + 10, e = __builtin_shuffle(d, (v4){3, 2, 1, 0});
  printf("%d %d %d\n", d[3], e[0], (a == b)[2]);
  return total(1, 5);
}

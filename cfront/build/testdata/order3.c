/* Where an assignment reads its right side. */
#include <stdio.h>
int x, y, z, a[4]; struct { int m; char c; } s; int *g = a;
int *f(int v) { x = v; s.m = v; a[1] = v; g = a + 2; return &y; }
int h(int v) { x = v; return 1; }
int main(void) {
  int i = 1, l = 3, *p = a;
  *f(5) = x; printf("%d\n", y);
  x = 0; *f(6) = x + 1; printf("%d\n", y);
  *f(7) = s.m; printf("%d\n", y);
  *f(8) = a[i]; printf("%d\n", y);
  *f(9) = p[1]; printf("%d\n", y);
  g = a; a[0] = 10; a[2] = 20; *f(1) = *g; printf("%d\n", y);
  x = 1; *f(2) = (char)x; printf("%d\n", y);
  x = 1; *f(3) = -x; printf("%d\n", y);
  x = 1; a[x] = h(2) + x; printf("%d %d\n", a[1], a[2]);
  x = 1; a[h(3)] = x; printf("%d\n", a[1]);
  x = 1; l = x + h(4) * x; printf("%d\n", l);
  x = 1; z = h(5) ? x : 0; printf("%d\n", z);
  x = 1; printf("%d %d\n", x + h(6), (x + 1) * h(7));
  x = 1; printf("%d\n", (x & 3) | h(8));
  x = 1; printf("%d\n", a[x] + h(2));
  x = 1; i = x == h(9); printf("%d\n", i);
  x = 1; i = x - h(3); printf("%d\n", i);
  x = 1; i = x << h(3); printf("%d\n", i);
  x = 8; i = x / h(3); printf("%d\n", i);
  x = 8; i = ~x ^ h(3); printf("%d\n", i);
  x = 8; i = x * 2 + h(3); printf("%d\n", i);
  x = 8; long w = (long)x + h(3); printf("%ld\n", w);
  x = 8; w = x + (long)h(3); printf("%ld\n", w);
  x = 8; y = 1; printf("%d\n", x > h(3) && y);
  x = 8; i = 1; i += x + h(2); printf("%d\n", i);
  x = 8; x -= h(2); printf("%d\n", x);
  x = 1; a[1] = 5; a[2] = 6; a[x] += h(2); printf("%d %d\n", a[1], a[2]);
  return 0;
}

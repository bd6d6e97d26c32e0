/* Structs, unions, bit-fields, packed and aligned ones; by value, in arrays, as results. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct mixed { char c; double d; short s; struct point p[2]; };
union bits { unsigned u; float f; unsigned char b[4]; struct { unsigned lo : 4, mid : 20, hi : 8; }; };
struct fields { signed a : 3; unsigned b : 5; int : 0; _Bool c : 1; unsigned long long d : 40; int e : 12; } ;
struct __attribute__((packed)) tight { char c; int i; short s[3]; unsigned n : 3; unsigned long long w : 45; };
struct big { char bytes[100]; };
struct flex { int n; int data[]; };

static struct point make(int x, int y) { return (struct point){x, y}; }
static struct point swap(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }
static struct big fill(struct big b, char c) { memset(b.bytes, c, sizeof b.bytes); return b; }
static struct mixed global = {.s = 3, .p = {[1] = {7, 8}}, .d = 1.5};
static struct flex flexible = {3, {1, 2, 3}};
static struct point *const address = &global.p[1];
static int *member = &global.p[1].y;

static unsigned sum(const void *p, size_t n) {
  unsigned s = 17;
  for (size_t i = 0; i < n; i++) s = s * 31 + ((const unsigned char *)p)[i];
  return s;
}

int main(void) {
  struct point p = swap(make(1, 2)), q;
  q = p;
  printf("%d %d %d\n", p.x, q.y, make(5, 6).y);
  struct mixed m = global, *pm = &m;
  pm->p[0] = (pm->p[1].x++, p);
  printf("%d %d %d %g %d\n", m.p[0].x, m.p[1].x, global.p[1].x, m.d, m.s);
  union bits u = {.f = 1.0f};
  printf("%x %x %x %x %d\n", u.u, u.lo, u.mid, u.hi, u.b[3]);
  u.mid = 0xfffff; u.lo += 20; u.hi--;
  printf("%x\n", u.u);
  struct fields f;
  memset(&f, 0, sizeof f);
  f.a = 5; f.b = 33; f.c = 4; f.d = 0x123456789abULL; f.e = -1;
  printf("%d %d %d %llx %d %d\n", f.a, f.b, f.c, (unsigned long long)f.d, f.e, (f.a = 7));
  f.d <<= 4; f.e++; f.a--; f.c ^= 1; f.b *= 9;
  printf("%d %d %d %llx %d %u\n", f.a, f.b, f.c, (unsigned long long)f.d, f.e, sum(&f, sizeof f));
  printf("%d %d\n", f.b++, --f.a);
  struct tight t = {1, 0x12345678, {1, 2, 3}, 5, 0x1fffffffffffULL}, *pt = &t;
  pt->w -= 3; pt->i = -pt->i; pt->s[2] ^= 0xff;
  printf("%zu %zu %d %d %u %llx %u\n", sizeof t, offsetof(struct tight, s), t.i, t.s[2], t.n, (unsigned long long)t.w, sum(&t, sizeof t));
  struct big b = fill((struct big){{0}}, 'x'), c = b;
  c.bytes[50] = 'y';
  printf("%d %c %c %c\n", memcmp(&b, &c, 50), b.bytes[50], c.bytes[50], fill(c, 'z').bytes[99]);
  printf("%d %d %d\n", address->y, *member, flexible.data[2]);
  struct point grid[3][2] = {{{1, 2}}, [2] = {[1] = {3, 4}}}, (*row)[2] = grid + 2;
  printf("%d %d %d %td\n", grid[0][0].y, (*row)[1].x, grid[1][1].y, &grid[2][1] - &grid[0][0]);
  struct point *e = &grid[1][0];
  e[1].x = 9; (e - 2)->y = 8; e += 2; e++->x = 11; (--e)->y = 12;
  printf("%u\n", sum(grid, sizeof grid));
  struct { struct { int a; union { int b; char c[4]; }; }; int d; } anon = {{1, {2}}, 3};
  anon.c[1] = 1;
  printf("%d %d %d\n", anon.a, anon.b, anon.d);
  struct text { const char *t; };
  puts((p.x > 1 ? (struct text){"yes"} : (struct text){"no"}).t);
  struct point cond = p.x == 2 ? p : q, *pp = &(struct point){10, 20};
  printf("%d %d %d\n", cond.x, pp->x, ((struct point[]){{1, 2}, {3, 4}})[1].y);
  volatile struct point vp = {1, 2};
  vp.x += vp.y; q = vp;
  printf("%d\n", q.x);
  return sum(&m.p, sizeof m.p) & 63;
}

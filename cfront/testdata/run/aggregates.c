// expect: SAFE
#include <assert.h>
struct point { int x, y; };
struct box { struct point lo, hi; int tags[3]; };
struct box g = { { 1, 2 }, { .y = 4, .x = 3 }, { [1] = 7 } };
int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
char name[] = "hi";
static int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
static void set(struct point *p, int v) { p->x = v; (*p).y = v + 1; }
static int byval(struct point p) { p.x++; return p.x; }
int idx(void) { static int calls = 5; return calls++; }
extern unsigned char __VERIFIER_nondet_uchar(void);
int main() {
  assert(g.lo.x == 1 && g.lo.y == 2 && g.hi.x == 3 && g.hi.y == 4 && g.tags[0] == 0 && g.tags[1] == 7);
  assert(sum(m[1], 3) == 15 && sum(&m[0][1], 2) == 5);
  struct point p = { 9 }, q;
  assert(p.y == 0);
  set(&p, 20); q = p; q.x++;
  assert(q.x == 21 && q.y == 21 && p.x == 20);
  assert(byval(p) == 21 && p.x == 20);
  g.hi = q; assert(g.hi.x == 21);
  unsigned char i = __VERIFIER_nondet_uchar();
  if (i >= 3) return 0;
  int a[3] = { 10, 20, 30 };
  a[i] += 5;
  assert(a[0] + a[1] + a[2] == 65 && a[i] == 10 * i + 15);
  int *r = &a[i]; i = 0; *r = 1; assert(sum(a, 3) <= 51);
  int *e = a; e++; *e++ = 77; assert(a[1] == 77 && e - a == 2 && e == &a[2]);
  assert(name[0] == 'h' && name[2] == 0 && sizeof(name) == 3);
  assert(idx() == 5 && idx() == 6);
  int b[2][2]; b[0][0] = 1; b[1][1] = 2; b[0][1] = b[0][0]; 
  assert(b[0][1] == 1 && b[1][1] == 2);
  int (*fp)(const int *, int) = sum; assert(fp(a, 1) == a[0]);
  int n = 3; int vla[n]; vla[2] = 4; assert(vla[2] == 4);
  return 0;
}

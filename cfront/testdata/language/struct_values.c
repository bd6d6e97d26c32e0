// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct point { int x, y; };
struct line { struct point from, to[2]; int width; };
struct point make(int x) { return (struct point){x, x + 1}; }
struct line draw(struct point p) { return (struct line){p, {make(5), p}, 3}; }
struct line shared;
int sum(const struct point *p) { return p[0].x + p[1].y; }
int main(void) {
  int c = __VERIFIER_nondet_int();
  struct point p = make(1), a[3] = {p, make(3), [2] = c ? p : make(7)}, r[] = {[0 ... 1] = make(8)};
  struct line l = {.to[1] = p, .from = a[1], .width = 2}, m = {p, {make(4)}};
  assert(a[0].y == 2 && a[1].x == 3 && a[2].x == (c ? 1 : 7) && r[1].y == 9 && sizeof r == 16);
  assert(l.from.y == 4 && l.to[0].x == 0 && l.to[1].x == 1 && l.width == 2 && m.to[0].y == 5 && m.to[1].y == 0);
  assert(draw(p).from.y == 2 && draw(p).to[c ? 1 : 0].x == (c ? 1 : 5) && sum(draw(p).to) == 7);
  assert((shared = l).to[1].y == 2 && (c ? l : m).to[0].x == (c ? 0 : 4) && (c, shared).width == 2);
  return 0;
}

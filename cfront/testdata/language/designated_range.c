// expect: SAFE
#include <assert.h>
struct p { int x, y[2]; };
int g[6] = {[0 ... 2] = 5, 6, [5] = 7};
struct p s[3] = {[0 ... 1] = {.x = 1, .y = {2, 3}}, {4}};
int calls;
int f(void) { return ++calls; }
int main(void) {
  int a[4] = {[1 ... 2] = f(), 9};
  assert(g[0] == 5 && g[2] == 5 && g[3] == 6 && g[4] == 0 && g[5] == 7);
  assert(s[0].x == 1 && s[1].y[1] == 3 && s[2].x == 4 && s[2].y[0] == 0);
  assert(a[0] == 0 && a[1] == 1 && a[2] == 1 && a[3] == 9 && calls == 1);
  return 0;
}

// expect: SAFE
#include <assert.h>
struct s { int a; struct { int a, b; } q[1]; struct { int c; }; };
int main(void) {
  struct s x = {1, {{2, 3}}}, y = x;
  y.q[0].b++;
  assert(x.a == 1 && y.q[0].b == 4 && x.q[0].b == 3 && y.c == 0);
  return 0;
}

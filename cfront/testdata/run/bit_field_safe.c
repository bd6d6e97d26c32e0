// expect: SAFE
#include <assert.h>

struct s { unsigned a : 3, b : 1; int c : 4; int : 3; _Bool d : 1; signed e : 1; unsigned long long f : 32; int g; };
int main(void) {
  struct s x = {9, 3, -9, 2, 1, -1, 5};
  assert(x.a == 1 && x.b == 1 && x.c == 7 && x.d == 1 && x.e == -1 && x.f == 4294967295u && x.g == 5);
  x.a += 7;
  assert(x.a == 0);
  x.a--;
  assert(x.a == 7 && x.a - 8 == -1);
  int v = (x.b = 2);
  assert(v == 0 && x.b == 0);
  x.c = 8;
  assert(x.c == -8 && x.c-- == -8 && x.c == 7);
  struct s y = x;
  y.d = 4;
  assert(y.d == 1 && y.c == 7 && sizeof(x) == 16);
  return 0;
}

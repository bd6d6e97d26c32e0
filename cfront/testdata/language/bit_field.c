// expect: SAFE
#include <assert.h>
int main(void) {
  struct { unsigned a : 3, b : 1; int c : 4; } x = {9, 2, 8};
  assert(x.a == 1 && x.b == 0 && x.c == -8 && (x.a = 15) == 7 && x.a - 8 < 0);
  return 0;
}

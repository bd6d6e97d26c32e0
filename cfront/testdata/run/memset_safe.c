// expect: SAFE
#include <string.h>
#include <assert.h>

struct s { int a; unsigned char c[3]; int *p; };
int main(void) {
  int k[4] = {1, 2, 3, 4};
  struct s x = {1, {2, 3, 4}, k}, y;
  memset(k + 1, 0, 2 * sizeof(int));
  assert(k[0] == 1 && k[1] == 0 && k[2] == 0 && k[3] == 4);
  memcpy(&y, &x, sizeof x);
  memset(x.c, -1, 3);
  assert(x.c[0] == 255 && x.c[2] == 255 && x.a == 1);
  memset(&x, 0, sizeof(x));
  assert(x.a == 0 && x.c[1] == 0 && x.p == 0);
  assert(y.a == 1 && y.c[2] == 4 && y.p[3] == 4);
  int j[4];
  memcpy(j, k, sizeof(j));
  assert(j[0] == 1 && j[3] == 4);
  return 0;
}

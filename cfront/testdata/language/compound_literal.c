// expect: SAFE
#include <assert.h>
struct s { int a, b; };
int main(void) {
  struct s x = (struct s){.b = 2};
  int *p = (int[]){1, 2, 3};
  assert(x.a == 0 && x.b == 2 && p[2] == 3);
  return 0;
}

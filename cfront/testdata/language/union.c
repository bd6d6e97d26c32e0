// expect: SAFE
#include <assert.h>
int main(void) {
  union { int s; unsigned u; } x = {-1};
  assert(x.u == 4294967295u);
  x.u = 7;
  assert(x.s == 7);
  return 0;
}

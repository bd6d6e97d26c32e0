// expect: SAFE
#include <assert.h>
int main(void) {
  int x = 1, y = 0;
  if (__builtin_expect(x, y++)) x = 2;
  assert(x == 2 && y == 1);
  return 0;
}

// expect: SAFE
#include <assert.h>
int main(void) {
  int x = __extension__ 3;
  if (__builtin_expect(x != 3, 0)) __builtin_unreachable();
  assert(__builtin_expect(x, 3) == 3);
  return 0;
}

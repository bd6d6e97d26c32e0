// expect: SAFE
#include <assert.h>
int main(void) {
  int x = 6, y;
  x += 2, x -= 1, x *= 5, x /= 2, x %= 10, x <<= 3, x >>= 1, x |= 1, x &= 29, x ^= 2;
  y = (x++, x) ? ~x : !x;
  assert(x == 32 && y == -33 && (x > 3 && y || x));
  return 0;
}

// expect: UNSAFE
#include <stdio.h>
#include <assert.h>
int main(void) {
  int x = 7, y = 8, n;
  n = scanf("%d %d", &x, &y);
  assert(n >= -1 && n <= 2);
  if (n < 2) assert(y == 8);
  if (n < 1) assert(x == 7);
  assert(x != 5);
  return 0;
}

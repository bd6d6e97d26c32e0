// expect: SAFE
#include <assert.h>
#include <string.h>
struct s { int a; unsigned short b, c; } x = {1, 2, 3}, y = {1, 2, 3};
int a[2] = {256, 0}, b[2] = {1, 0};
int main(void) {
  assert(memcmp(&x, &y, sizeof x) == 0);
  assert(memcmp(a, b, sizeof a) < 0);
  return 0;
}

// expect: SAFE
// A struct is an argument of a variadic function, between others; the assertion of the unsafe one does not hold.
#include <assert.h>
#include <stdarg.h>
struct point {
  int x;
  short y;
};
static int sum(int n, ...) {
  struct point p = {0, 0};
  va_list ap;
  va_start(ap, n);
  int first = va_arg(ap, int);
  p = va_arg(ap, struct point);
  int last = va_arg(ap, int);
  va_end(ap);
  return first + p.x + p.y + last;
}
int main(void) {
  struct point p = {20, 3};
  assert(sum(3, 100, p, 4) == 127);
  return 0;
}

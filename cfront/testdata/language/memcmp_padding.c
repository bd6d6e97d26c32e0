// expect: error 5:7: unsupported: memcmp of objects with bytes that belong to no member
#include <string.h>
struct s { int a; char b; } x, y;
int main(void) {
  if (memcmp(&x, &y, sizeof x))
    return 1;
  return 0;
}

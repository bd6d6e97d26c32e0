// expect: SAFE --check=memory
/* A struct that is initialised in part is copied: the copy is so in the same part. */
#include <stdlib.h>
struct pair {
  int a, b;
};
int main(void) {
  struct pair x, y;
  x.a = 1;
  y = x;
  if (y.a > 5)
    abort();
  return 0;
}

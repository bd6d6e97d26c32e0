// expect: SAFE --check=memory
/* A bit-field is written, but not the one beside it. */
#include <stdlib.h>
struct bits {
  unsigned a : 3, b : 5;
};
int main(void) {
  struct bits x;
  x.a = 1;
  x.b = 2;
  if (x.a + x.b > 20)
    abort();
  return 0;
}

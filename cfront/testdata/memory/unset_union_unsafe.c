// expect: UNSAFE --check=memory
/* A union is read by another member than was written, which has more bytes. */
#include <stdlib.h>
union number {
  int whole;
  short half;
};
int main(void) {
  union number x;
  x.half = 1;
  if (x.whole > 5)
    abort();
  return 0;
}

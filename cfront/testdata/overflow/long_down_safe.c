// expect: SAFE --check=overflow
/* The smallest long is not made smaller. */
#include <stdlib.h>
long down(long x) {
 return x > -9223372036854775807L ? x - 1 : x;
}
int main(void) {
  long x = -9223372036854775806L;
  x = down(x);
  x = down(x);
  x = down(x);
  return x == 0;
}

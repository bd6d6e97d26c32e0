// expect: UNSAFE --check=overflow
/* The product of ints is an int, also if it is assigned to a long. */
#include <stdio.h>
int main(void) {
  int a = 65536, b = 65536;
 long c = a * b;
  printf("%ld\n", c);
  return 0;
}

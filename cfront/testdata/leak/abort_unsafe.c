// expect: UNSAFE --check=leak
/* abort ends the program at once, and nothing is said to be lost; exit(1) with the pointer gone says so. */
#include <stdlib.h>
static void fail(void) {
 exit(1);
}
int main(void) {
  char *p = malloc(4);
  p[0] = 1;
  p = 0;
  fail();
  return p != 0;
}

// expect: UNSAFE --check=leak
/* A pointer into the object will do, one right behind it will not. */
#include <stdlib.h>
char *kept;
int main(void) {
  char *p = malloc(32);
  p[16] = 1;
 kept = p + 32;
  return 0;
}

// expect: UNSAFE --check=memory
/* free is given a pointer into an object. */
#include <stdlib.h>
int main(void) {
  int *p = malloc(4 * sizeof *p);
  int *q = p;
  for (int i = 0; i < 4; i++)
    *q++ = i;
 free(q - 3);
  return 0;
}

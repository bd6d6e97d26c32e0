// expect: SAFE --check=leak
/* The only pointer to the first object is overwritten. */
#include <stdlib.h>
int *p;
int main(void) {
  p = malloc(sizeof *p);
  *p = 1;
 free(p);
  p = malloc(sizeof *p);
  *p = 2;
  return 0;
}

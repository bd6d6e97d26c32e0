// expect: SAFE --check=leak
/* A function that runs at the end frees the object. */
#include <stdlib.h>
static int *p;
static void cleanup(void) {
 free(p);
  p = 0;
}
int main(void) {
  p = malloc(sizeof *p);
  *p = 1;
  atexit(cleanup);
  return 0;
}

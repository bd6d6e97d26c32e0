// expect: SAFE --check=cleanup
/* A handler of the program's end frees both. */
#include <stdlib.h>
static int *first, *second;
static void clean(void) { free(first); free(second); }
int main(void) {
  atexit(clean);
  first = malloc(4);
  second = malloc(4);
  return 0;
}

// expect: UNSAFE --check=cleanup
/* A handler of the program's end frees one of two. */
#include <stdlib.h>
static int *first, *second;
static void clean(void) { free(first); }
int main(void) {
  atexit(clean);
  first = malloc(4);
  second = malloc(4);
  return 0;
}

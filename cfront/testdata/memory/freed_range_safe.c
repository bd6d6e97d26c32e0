// expect: SAFE --check=memory
/* A number of bytes that is not known is set in memory that is freed then. */
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  (void)argv;
  char *p = malloc(8);
  size_t n = argc > 7 ? 8 : (size_t)argc;
  memset(p, 0, 8);
 memset(p, 1, n);
  free(p);
  return 0;
}

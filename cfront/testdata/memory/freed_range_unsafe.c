// expect: UNSAFE --check=memory
/* A number of bytes that is not known is set in memory that was freed. */
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  (void)argv;
  char *p = malloc(8);
  size_t n = argc > 7 ? 8 : (size_t)argc;
  memset(p, 0, 8);
  free(p);
 memset(p, 1, n);
  return 0;
}

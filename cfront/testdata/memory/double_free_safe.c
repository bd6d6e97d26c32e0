// expect: SAFE --check=memory
/* An object is freed twice. */
#include <stdlib.h>
int main(int argc, char **argv) {
  (void)argv;
  char *p = malloc(4);
  p[0] = 1;
  if (argc >= 1)
    free(p);
 if (argc < 1)
    free(p);
  return 0;
}

// expect: UNSAFE --check=cleanup
/* exit ends the program while a local of its caller still points to memory. */
#include <stdlib.h>
static void end(char *text) {
  exit(text == 0);
}
int main(void) {
  char *text = calloc(3, 2);
  end(text);
  free(text);
  return 0;
}

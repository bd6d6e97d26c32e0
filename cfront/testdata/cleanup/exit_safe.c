// expect: SAFE --check=cleanup
/* The memory is freed before exit. */
#include <stdlib.h>
static void end(char *text) {
  free(text);
  exit(text == 0);
}
int main(void) {
  char *text = calloc(3, 2);
  end(text);
  return 0;
}

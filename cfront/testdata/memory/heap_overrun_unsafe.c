// expect: UNSAFE --check=memory
/* The string needs a byte for its end. */
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *s = "four";
 char *p = malloc(strlen(s));
  strcpy(p, s);
  int r = p[0] != 'f';
  free(p);
  return r;
}

// expect: UNSAFE --check=leak
/* What strdup returns is the caller's. */
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *s = strdup("leak");
  int r = s[0] != 'l';
  return r;
}

// expect: SAFE --check=memory
/* A variable of the environment may not be set. */
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *s = getenv("COMUS_TEST");
  return s ? strlen(s) : 0;
}

// expect: SAFE --check=memory
/* The value of a variable of the environment ends somewhere. */
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *s = getenv("HOME");
  return s && strchr(s, 'x');
}

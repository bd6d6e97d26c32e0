// expect: UNSAFE --check=memory
/* A function of the library reads a string up to its end, past a character that was not written. */
#include <stdlib.h>
#include <string.h>
int main(void) {
  char name[3];
  name[0] = 'a';
  name[2] = 0;
  if (strlen(name) > 5)
    abort();
  return 0;
}

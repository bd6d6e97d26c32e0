// expect: SAFE --check=memory
/* A pointer walks over the arguments, and begins behind their end if there are none. */
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = 0;
  for (char **p = argv + 1; *p; p++)
    n++;
  return n > 3;
}

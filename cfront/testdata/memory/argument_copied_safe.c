// expect: SAFE --check=memory
/* A copy of an argument is larger than the buffer that it goes to. */
#include <string.h>
int main(int argc, char **argv) {
  char name[4] = "";
  if (argc > 1)
    strncpy(name, argv[1], sizeof name - 1);
  return name[0];
}

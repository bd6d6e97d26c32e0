// expect: UNSAFE --check=memory
/* A copy of an argument is larger than the buffer that it goes to. */
#include <string.h>
int main(int argc, char **argv) {
  char name[4] = "";
  if (argc > 1)
    strcpy(name, argv[1]);
  return name[0];
}

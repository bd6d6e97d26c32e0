// expect: SAFE --check=memory
/* A pointer to an array of four is one to memory for four. */
#include <stdlib.h>
int main(int argc, char **argv) {
  (void)argv;
  int(*row)[4] = calloc(4, sizeof(int));
  int i = argc & 3;
  int r = (*row)[i + 1 & 3];
  free(row);
  return r;
}

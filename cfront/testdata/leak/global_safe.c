// expect: SAFE --check=leak
/* A pointer of a global reaches the object, a pointer of a local that is gone does not. */
#include <stdlib.h>
int *global;
int main(void) {
  int *local = malloc(sizeof *local);
  *local = 3;
 global = local;
  return *local - 3;
}

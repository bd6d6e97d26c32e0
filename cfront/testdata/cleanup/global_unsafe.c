// expect: UNSAFE --check=cleanup
/* What a global points to is not lost, and not freed either. */
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(4);
  return 0;
}

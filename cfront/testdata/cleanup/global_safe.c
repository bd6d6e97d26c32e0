// expect: SAFE --check=cleanup
/* What a global points to is freed. */
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(4);
  free(kept);
  return 0;
}

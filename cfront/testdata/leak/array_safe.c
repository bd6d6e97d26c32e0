// expect: SAFE --check=leak
/* Every element of an array of pointers is freed. */
#include <stdlib.h>
int main(void) {
  int *a[4];
  for (int i = 0; i < 4; i++) {
    a[i] = malloc(sizeof(int));
    *a[i] = i;
  }
 for (int i = 0; i < 4; i++)
    free(a[i]);
  return 0;
}

// expect: UNSAFE --check=memory
/* calloc gives zeros, malloc anything. */
#include <stdlib.h>
struct point {
  int x, y;
};
int main(void) {
  struct point *p = malloc(sizeof *p);
  p->x = 1;
  if (p->x + p->y > 5)
    abort();
  free(p);
  return 0;
}

// expect: UNSAFE --check=memory
/* What a memcpy writes over zeros is as indeterminate as what it reads. */
#include <stdlib.h>
#include <string.h>
struct pair {
  int a, b;
};
int main(void) {
  struct pair x, *p = malloc(sizeof *p);
  memset(p, 0, sizeof *p);
  x.b = 1;
  memcpy(p, &x, sizeof x);
  if (p->a > 5)
    abort();
  free(p);
  return 0;
}

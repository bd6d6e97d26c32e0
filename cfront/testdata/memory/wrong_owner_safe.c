// expect: SAFE --check=memory
/* An object that a list took over is freed by the list alone. */
#include <stdlib.h>
struct list { int *items[2]; int n; };
static void add(struct list *l, int *p) { l->items[l->n++] = p; }
static void clear(struct list *l) {
  while (l->n > 0)
    free(l->items[--l->n]);
}
int main(void) {
  struct list l = {{0, 0}, 0};
  int *p = malloc(sizeof *p);
  *p = 1;
  add(&l, p);
  clear(&l);
 p = 0;
  free(p);
  return 0;
}

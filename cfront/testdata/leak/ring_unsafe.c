// expect: UNSAFE --check=leak
/* Two objects that point to each other: reached from a global, or not. */
#include <stdlib.h>
struct node { struct node *other; int value; };
static struct node *entry;
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->other = b;
  b->other = a;
  a->value = b->value = 1;
  entry = b;
 entry = 0;
  return 0;
}

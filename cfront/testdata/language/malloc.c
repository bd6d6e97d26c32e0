// expect: SAFE
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = list;
    list = n;
  }
  assert(list->value == 2 && list->next->next->value == 0);
  int *a = malloc(4 * sizeof(int));
  a[3] = 5;
  assert(a[3] == 5);
  return 0;
}

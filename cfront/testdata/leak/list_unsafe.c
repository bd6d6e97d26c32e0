// expect: UNSAFE --check=leak
/* All elements of a list are freed, or the first one only. */
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
 free(head);
  return 0;
}

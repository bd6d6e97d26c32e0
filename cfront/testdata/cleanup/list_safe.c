// expect: SAFE --check=cleanup
/* All nodes of a list are freed. */
#include <stdlib.h>
struct node { struct node *next; };
static struct node *head;
int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *n = head;
    head = n->next;
    free(n);
  }
  return 0;
}

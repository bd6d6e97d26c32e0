// expect: UNSAFE --check=cleanup
/* All nodes of a list but its first are freed. */
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
  while (head->next) {
    struct node *n = head->next;
    head->next = n->next;
    free(n);
  }
  return 0;
}

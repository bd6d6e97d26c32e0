// expect: SAFE --check=memory
/* The next element is read before this one is freed, or after. */
#include <stdlib.h>
struct node { struct node *next; };
static void drop(struct node *n) { free(n); }
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *n = head;
   head = n->next;
    drop(n);
  }
  return 0;
}

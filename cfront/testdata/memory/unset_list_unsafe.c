// expect: UNSAFE --check=memory
/* The nodes of a list have a value, or none. */
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
int __VERIFIER_nondet_int(void);
int main(void) {
  struct node *list = 0;
  int n = __VERIFIER_nondet_int(), sum = 0;
  for (int i = 0; i < n && i < 2; i++) {
    struct node *x = malloc(sizeof *x);
    x->next = list;
    list = x;
  }
  while (list) {
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  if (sum > 5)
    abort();
  return 0;
}

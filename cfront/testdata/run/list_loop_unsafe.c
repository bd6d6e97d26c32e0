// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  int n = 0;
  while (n < 2 && __VERIFIER_nondet_int()) {
    struct node *x = calloc(1, sizeof *x);
    x->v = ++n;
    x->next = head;
    head = x;
  }
  int last = n + 1;
  for (struct node *x = head; x; x = x->next) {
    assert(x->v == last - 2);
    last = x->v;
  }
  assert(last == 1);
  return 0;
}

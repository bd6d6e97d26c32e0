// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct node { int v; struct node *next; };
struct node *_Atomic top;
void push(int v) {
  struct node *n = malloc(sizeof *n), *old = atomic_load(&top);
  n->v = v;
  n->next = old; atomic_store(&top, n);
}
void *f(void *a) { push(1); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  push(2);
  pthread_join(t, 0);
  int s = 0;
  for (struct node *n = top; n; n = n->next) s += n->v;
  assert(s == 3);
  return 0;
}

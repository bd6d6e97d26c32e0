// expect: SAFE --check=race
// A list is pushed to by compare and exchange, and the nodes are read after an acquire load.
#include <pthread.h>
#include <stdatomic.h>
struct node { int v; struct node *next; } n;
struct node *_Atomic head;
void *f(void *arg) {
  struct node *old = 0;
  n.v = 3;
  n.next = old;
  atomic_compare_exchange_strong_explicit(&head, &old, &n, memory_order_release, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  struct node *p = atomic_load_explicit(&head, memory_order_acquire);
  int r = p ? p->v : 0;
  pthread_join(t, 0);
  return r == 1;
}

// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void push(int v) {
  struct node *n = malloc(sizeof *n);
  n->data = v;
  pthread_mutex_lock(&m);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&m);
}
void *f(void *a) { push(1); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  push(2);
  pthread_join(t, 0);
  int sum = 0;
  for (struct node *n = head; n; n = n->next) sum += n->data;
  assert(sum == 3);
  return 0;
}

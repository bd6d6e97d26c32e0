// expect: UNSAFE
// Blocks that are allocated in several places, in loops, by several threads and under
// conditions; what they hold in the beginning; blocks that are copied.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct node { int v[2]; struct node *next; pthread_mutex_t m; };
struct node *head;
int sum, any;
struct node *node(int v) {
  struct node *p = malloc(sizeof(struct node));
  p->v[1] = v;
  pthread_mutex_init(&p->m, 0);
  return p;
}
void *f(void *arg) {
  struct node *p = node(5), *h = arg;
  pthread_mutex_lock(&h->m);
  p->next = h->next;
  h->next = p;
  pthread_mutex_unlock(&h->m);
  short *s = malloc(4);
  any = s[1];
  h->v[0]++;
  return 0;
}
int main(void) {
  pthread_t t[2];
  struct node *unused = node(100);
  head = node(1);
  int *a = calloc(2, sizeof *a);
  for (int i = 0; i < 2; i++)
    if (i == 1) head->next = node(2);
  head->next->next = 0;
  head->v[0] = a[1];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, head);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (struct node *p = head; p; p = p->next) sum += p->v[1];
  assert(!(sum == 13 && head->v[0] == 1 && any == 77 && unused->v[1] == 100));
  return 0;
}

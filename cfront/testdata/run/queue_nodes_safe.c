// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
typedef struct node { int v; struct node *next; } node;
typedef struct { node *head, *tail; pthread_mutex_t lock; } queue;
queue *q;
void put(int v) {
  node *n = malloc(sizeof(node));
  n->v = v;
  n->next = NULL;
  pthread_mutex_lock(&q->lock);
  if (q->tail) q->tail->next = n; else q->head = n;
  q->tail = n;
  pthread_mutex_unlock(&q->lock);
}
int get(int *v) {
  int ok = 0;
  pthread_mutex_lock(&q->lock);
  if (q->head) {
    node *n = q->head;
    *v = n->v;
    q->head = n->next;
    if (!q->head) q->tail = NULL;
    free(n);
    ok = 1;
  }
  pthread_mutex_unlock(&q->lock);
  return ok;
}
void *producer(void *a) { put(1); put(2); return 0; }
int main(void) {
  pthread_t t;
  int a, b;
  q = malloc(sizeof *q);
  q->head = q->tail = NULL;
  pthread_mutex_init(&q->lock, NULL);
  pthread_create(&t, 0, producer, 0);
  if (get(&a)) {
    assert(a == 1);
    if (get(&b)) assert(b == 2);
  }
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE --check=deadlock
// Main closes the queue under its lock, and wakes all workers, before it joins them.
#include <pthread.h>
#include <stdlib.h>
struct job {
  struct job *next;
  int n;
};
struct queue {
  pthread_mutex_t lock;
  pthread_cond_t more;
  struct job *first;
  int closed;
};
static int sum;
static struct job *take(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  while (!q->first && !q->closed)
    pthread_cond_wait(&q->more, &q->lock);
  struct job *j = q->first;
  if (j) {
    q->first = j->next;
    sum += j->n;
  }
  pthread_mutex_unlock(&q->lock);
  return j;
}
static void *work(void *arg) {
  struct job *j;
  while ((j = take(arg)))
    free(j);
  return 0;
}
static int put(struct queue *q, int n) {
  struct job *j = malloc(sizeof *j);
  if (!j)
    return -1;
  j->n = n;
  pthread_mutex_lock(&q->lock);
  j->next = q->first;
  q->first = j;
  pthread_cond_signal(&q->more);
  pthread_mutex_unlock(&q->lock);
  return 0;
}
int main(void) {
  pthread_t t[2];
  struct queue q = {.first = 0};
  pthread_mutex_init(&q.lock, 0);
  pthread_cond_init(&q.more, 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, work, &q);
  put(&q, 1);
  put(&q, 2);
  pthread_mutex_lock(&q.lock);
  q.closed = 1;
  pthread_cond_broadcast(&q.more);
  pthread_mutex_unlock(&q.lock);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return 0;
}

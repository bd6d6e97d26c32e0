// expect: SAFE
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct job { int arg; struct job *next; };
struct pool { pthread_mutex_t mu; struct job *head, *tail; int done; pthread_t threads[2]; };
static void *worker(void *a) { struct pool *p = a; pthread_mutex_lock(&p->mu); p->done++; pthread_mutex_unlock(&p->mu); return 0; }
int main(void) {
  struct pool pool;
  struct pool *p = &pool;
  pthread_mutex_init(&p->mu, NULL);
  p->head = p->tail = NULL; p->done = 0;
  for (int i = 0; i < 2; i++) if (pthread_create(&p->threads[i], NULL, worker, p)) return 1;
  for (int i = 0; i < 2; i++) { 
    struct job *j = malloc(sizeof *j);
    if (!j) return 1;
    j->next = NULL;
    pthread_mutex_lock(&p->mu);
    if (p->tail) p->tail->next = j; else p->head = j;
    p->tail = j;
    pthread_mutex_unlock(&p->mu);
  }
  for (int i = 0; i < 2; i++) pthread_join(p->threads[i], NULL);
  assert(p->done == 2);
  return 0;
}

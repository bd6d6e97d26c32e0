// expect: SAFE --check=leak
/* Two threads add to a list, which leads to what they have added only if none of them overwrites what the other one has stored. There are so many objects that it is chosen which of them are reached. */
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
struct list { struct node *first; };
static struct list *list;
static void *kept[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  struct node *n = malloc(sizeof *n);
  pthread_mutex_lock(&m);
  n->next = list->first;
  list->first = n;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < 4; i++)
    kept[i] = malloc(4);
  list = malloc(sizeof *list);
  list->first = 0;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}

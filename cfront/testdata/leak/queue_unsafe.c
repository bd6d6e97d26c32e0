// expect: UNSAFE --check=leak
/* A consumer frees what it gets, and who ends frees what is left. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *box;
static void *producer(void *arg) {
  int *p = malloc(sizeof *p);
  *p = *(int *)arg;
  pthread_mutex_lock(&m);
  box = p;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  int x = 1, y = 2;
  pthread_create(&t, 0, producer, &x);
  producer(&y);
  pthread_join(t, 0);
  free(box);
  box = 0;
  return 0;
}

// expect: UNSAFE --check=race
#include <pthread.h>
#include <stdlib.h>

struct counter {
  pthread_mutex_t mu;
  int n;
};

static void *add(void *a) {
  struct counter *c = a;
  pthread_mutex_lock(&c->mu); /* that it was initialised is assumed */
  c->n++;
  pthread_mutex_unlock(&c->mu);
  return 0;
}

int main(void) {
  pthread_t t;
  struct counter *c = malloc(sizeof *c);
  c->n = 0;
  pthread_create(&t, 0, add, c);
  c->n++;
  pthread_join(t, 0);
  return 0;
}

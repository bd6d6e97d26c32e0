// expect: SAFE --check=race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
  char name[16];
  short count;
};

struct store { /* the mutex is at no multiple of the size of an item */
  struct item items[3];
  pthread_mutex_t mu;
};

static struct store *s;

static void *adder(void *a) {
  pthread_mutex_lock(&s->mu);
  s->items[*(int *)a].count++;
  pthread_mutex_unlock(&s->mu);
  return 0;
}

int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int() & 1;
  s = calloc(1, sizeof *s);
  pthread_mutex_init(&s->mu, 0);
  pthread_create(&t, 0, adder, &i);
  pthread_mutex_lock(&s->mu);
  s->items[0].count++;
  pthread_mutex_unlock(&s->mu);
  pthread_join(t, 0);
  return s->items[0].count;
}

// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct part {
  char tag;
  short count;
};

struct pool {
  pthread_mutex_t mu;
  struct part parts[3];
  int sum;
};

static void add(struct pool *p, unsigned i) {
  pthread_mutex_lock(&p->mu);
  p->parts[i].count++;
  p->sum++;
  pthread_mutex_unlock(&p->mu);
}

static void *adder(void *a) {
  add(a, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  struct pool *p = calloc(1, sizeof *p);
  unsigned i = __VERIFIER_nondet_int() & 1;
  pthread_mutex_init(&p->mu, 0);
  pthread_create(&t, 0, adder, p);
  add(p, i);
  pthread_join(t, 0);
  pthread_mutex_lock(&p->mu);
  assert(p->sum == 2 && p->parts[i].count == 1 && p->parts[2].count == 0);
  return 0;
}

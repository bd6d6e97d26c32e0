// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct phase {
  pthread_barrier_t bar;
  unsigned char done[2];
};

static void *second(void *a) {
  struct phase *p = a;
  p->done[1] = 1;
  pthread_barrier_wait(&p->bar);
  return 0;
}

int main(void) {
  pthread_t t;
  struct phase *p = calloc(1, sizeof *p);
  int i = __VERIFIER_nondet_int() & 1;
  pthread_barrier_init(&p->bar, 0, 2);
  p->done[0] = 1;
  pthread_create(&t, 0, second, p);
  pthread_barrier_wait(&p->bar);
  assert(p->done[i] == 1);
  pthread_join(t, 0);
  return 0;
}

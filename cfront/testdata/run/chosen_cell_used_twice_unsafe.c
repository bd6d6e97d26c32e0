// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct buf {
  int n;
  unsigned char d[3];
};

static unsigned sum;

static void *f(void *a) {
  struct buf *p = a;
  unsigned s = 0;
  for (int i = 0; i < p->n; i++)
    s += p->d[i]; /* a read of one of several cells, used for what it is and for whether it wraps */
  sum = s;
  return 0;
}

int main(void) {
  pthread_t t;
  struct buf *p = malloc(sizeof *p);
  p->n = 2;
  for (int i = 0; i < 3; i++)
    p->d[i] = 1;
  p->d[__VERIFIER_nondet_int() & 1] = 3;
  pthread_create(&t, 0, f, p);
  pthread_join(t, 0);
  assert(sum == 2);
  return 0;
}

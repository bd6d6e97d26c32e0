// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct s {
  pthread_mutex_t mu;
  int n;
};

static void *f(void *a) {
  struct s *p = a;
  pthread_mutex_lock(&p->mu);
  p->n++;
  pthread_mutex_unlock(&p->mu);
  return 0;
}

int main(void) {
  pthread_t t;
  struct s *p = malloc(sizeof *p);
  unsigned char *bytes = (unsigned char *)p;
  for (unsigned i = 0; i < sizeof *p; i++) /* each byte of the mutex, too */
    bytes[i] = 0;
  bytes[__VERIFIER_nondet_int() & 3] = 0;
  pthread_mutex_init(&p->mu, 0);
  pthread_create(&t, 0, f, p);
  pthread_mutex_lock(&p->mu);
  p->n++;
  p->n = 1; pthread_mutex_unlock(&p->mu); pthread_mutex_lock(&p->mu); p->n = 1; pthread_mutex_unlock(&p->mu);
  pthread_join(t, 0);
  assert(p->n == 2);
  return 0;
}

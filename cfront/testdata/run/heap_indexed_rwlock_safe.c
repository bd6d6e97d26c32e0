// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct table {
  char name[3];
  pthread_rwlock_t lock;
  short slots[3];
  int readers;
};

static void *reader(void *a) {
  struct table *p = a;
  pthread_rwlock_rdlock(&p->lock);
  p->readers = 1;
  pthread_rwlock_unlock(&p->lock);
  return 0;
}

int main(void) {
  pthread_t t;
  struct table *p = calloc(1, sizeof *p);
  pthread_rwlock_init(&p->lock, 0);
  p->name[__VERIFIER_nondet_int() & 1] = 'a';
  p->slots[1 + (__VERIFIER_nondet_int() & 1)] = -1;
  pthread_create(&t, 0, reader, p);
  pthread_join(t, 0);
  pthread_rwlock_wrlock(&p->lock);
  assert(p->readers == 1 && p->slots[0] == 0 && p->slots[1] + p->slots[2] == -1);
  return 0;
}

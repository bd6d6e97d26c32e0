// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);

struct slots {
  sem_t sem;
  int v[2];
};

static void *taker(void *a) {
  struct slots *p = a;
  sem_wait(&p->sem);
  return 0;
}

int main(void) {
  pthread_t t;
  struct slots *p = malloc(sizeof *p);
  sem_init(&p->sem, 0, 2);
  p->v[__VERIFIER_nondet_int() & 1] = 7; /* the semaphore beside it stays whole */
  pthread_create(&t, 0, taker, p);
  pthread_join(t, 0);
  assert(sem_trywait(&p->sem) == -1);
  return 0;
}

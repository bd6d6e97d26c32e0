// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
sem_t s[2];
int x, k;
void *f(void *arg) {
  x = 1;
  sem_post(&s[k]);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s[0], 0, 0);
  sem_init(&s[1], 0, 1);
  int i = __VERIFIER_nondet_int() & 1;
  k = i;
  pthread_create(&t, 0, f, 0);
  sem_wait(&s[i]);
  assert(x == 1);
  return 0;
}

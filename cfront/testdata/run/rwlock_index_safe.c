// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
pthread_rwlock_t l[2];
int x, k;
void *f(void *arg) {
  pthread_rwlock_wrlock(&l[k]);
  x++;
  pthread_rwlock_unlock(&l[k]);
  return 0;
}
int main(void) {
  pthread_t t, u;
  k = __VERIFIER_nondet_int() & 1;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}

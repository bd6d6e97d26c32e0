// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct node { int x; pthread_mutex_t m; } n[2];
int k;
void *f(void *arg) {
  int r = pthread_mutex_trylock(&n[k].m);
  assert(r == (k ? 0 : 16));
  return 0;
}
int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int() & 1;
  k = i;
  pthread_mutex_lock(&n[0].m);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}

// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2];
int x[2], k;
void *f(void *arg) {
  pthread_mutex_lock(&m[k]);
  x[k]++;
  pthread_mutex_unlock(&m[k]);
  return 0;
}
int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int() & 1;
  k = i;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m[1 - i]);
  x[i]++;
  pthread_mutex_unlock(&m[1 - i]);
  pthread_join(t, 0);
  assert(x[i] == 2);
  return 0;
}

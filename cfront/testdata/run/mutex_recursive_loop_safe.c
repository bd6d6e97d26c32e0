// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int x;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 1 || n > 3) return 0;
  while (i < n) {
    pthread_mutex_lock(&m);
    i++;
  }
  while (i > 1) {
    pthread_mutex_unlock(&m);
    i--;
  }
  int y = x;
  int z = x;
  assert(y == z);
  return 0;
}

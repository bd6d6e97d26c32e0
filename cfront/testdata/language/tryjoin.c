// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (pthread_tryjoin_np(t, 0) == 0)
    assert(x == 1);
  return 0;
}

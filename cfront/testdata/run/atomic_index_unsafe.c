// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
int a[2], k;
void *f(void *arg) {
  __sync_fetch_and_add(&a[k], 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  k = 1;
  int r = a[0];
  int s = a[0];
  assert(r == s);
  return 0;
}

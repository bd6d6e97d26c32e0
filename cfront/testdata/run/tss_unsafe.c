// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>
#include <assert.h>
tss_t k;
int x;
int f(void *arg) {
  return tss_get(k) == &x;
}
int main(void) {
  thrd_t t;
  int r;
  tss_create(&k, 0);
  tss_set(k, &x);
  thrd_create(&t, f, 0);
  thrd_join(t, &r);
  assert(r);
  tss_delete(k);
  return 0;
}

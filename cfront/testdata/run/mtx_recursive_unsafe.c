// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>
#include <assert.h>
mtx_t m;
int f(void *arg) {
  return mtx_trylock(&m) == thrd_success;
}
int main(void) {
  thrd_t t;
  int r;
  mtx_init(&m, mtx_plain | mtx_recursive);
  mtx_lock(&m);
  mtx_lock(&m);
  mtx_unlock(&m);
  mtx_unlock(&m);
  thrd_create(&t, f, 0);
  thrd_join(t, &r);
  assert(r == 0);
  return 0;
}

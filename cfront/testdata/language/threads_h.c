// expect: SAFE
#include <threads.h>
#include <assert.h>
mtx_t m;
int x;
int f(void *p) {
  mtx_lock(&m);
  x++;
  mtx_unlock(&m);
  return -3;
}
int main(void) {
  thrd_t t;
  int r;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, f, 0);
  mtx_lock(&m);
  x++;
  mtx_unlock(&m);
  thrd_join(t, &r);
  assert(x == 2 && r == -3);
  return 0;
}

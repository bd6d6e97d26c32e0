// expect: UNSAFE
#include <threads.h>
#include <assert.h>

mtx_t m;
once_flag o = ONCE_FLAG_INIT;
int x;
void init(void) { mtx_init(&m, mtx_plain); }
int f(void *a) {
  call_once(&o, init);
  if (mtx_trylock(&m) != thrd_success)
    return -1;
  x++;
  mtx_unlock(&m);
  return x > 2 ? 1 : -1;
}
int main(void) {
  thrd_t t, u;
  int r;
  assert(thrd_create(&t, f, 0) == thrd_success);
  thrd_create(&u, f, 0);
  thrd_join(t, &r);
  thrd_join(u, 0);
  assert(x == 2);
  assert(r == -1);
  return 0;
}

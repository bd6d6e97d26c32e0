// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
struct q { int a, b; };
struct q g = {1, 1};
void *f(void *x) {
  struct q two[2] = {{2, 2}, g};
  g = two[0];
  return 0;
}
struct q twice(void) {
  struct q r = {g.a * 2, 7};
  return r;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  struct q a[2] = {g, twice()};
  assert(a[0].a + a[0].b >= 2 && a[0].a + a[0].b != 3 && (a[1].a == 2 || a[1].a == 4) && a[1].b == 7);
  pthread_join(t, 0);
  assert((a[0].a ? g : a[1]).b == 2 && twice().a == 4);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>

union u { int s; unsigned u; };
union u g;
struct { int tag; union { long a; unsigned long b; }; } h = {1, {-1}};
void *f(void *a) {
  g.u = 4294967295u;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(g.s == -1);
  union u x = {.u = 4294967290u}, y = x;
  assert(y.s == -6);
  unsigned v = (y.s = -3);
  assert(v == 4294967293u && y.u == 4294967293u && y.u-- > 5 && y.s == -4);
  assert(h.b == 18446744073709551615ul);
  return 0;
}

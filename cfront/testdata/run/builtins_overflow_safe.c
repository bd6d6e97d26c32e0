// expect: SAFE
#include <pthread.h>
#include <assert.h>
int g = 2147483646;
unsigned bits = 4, done;
void *f(void *a) {
  if (__builtin_add_overflow(g, 1, &g)) done = 1;
  bits = __builtin_bswap32(bits) | __builtin_ctz(bits) << 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (__builtin_sadd_overflow(g, 1, &g)) done = 1;
  unsigned n = __builtin_popcount(bits) + __builtin_constant_p(1);
  pthread_join(t, 0);
  assert((n == 2 || n == 3) && (!done || g == -2147483647 - 1));
  return 0;
}

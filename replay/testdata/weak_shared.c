// expect: UNSAFE
// The expected value of a weak compare-exchange is shared: it fails with a reason
// once, then twice without one.
#include <assert.h>
#include <pthread.h>
_Atomic int x = 1;
int expected = 1, fails;
void *f(void *arg) {
  for (int i = 0; i < 5; i++)
    if (!__atomic_compare_exchange_n(&x, &expected, i + 2, 1, 5, 5)) fails = 10 * fails + i + 1;
  assert(fails != 234);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE
// What a compare-and-swap finds it stores in a step of its own, but
// main stores before that.
#include <pthread.h>
#include <assert.h>
_Atomic int x = 1;
int expected;
void *f(void *arg) {
  __atomic_compare_exchange_n(&x, &expected, 5, 0, 5, 5);
  return 0;
}
int main(void) {
  x = 2;
  expected = 9;
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(expected != 1);
  return 0;
}

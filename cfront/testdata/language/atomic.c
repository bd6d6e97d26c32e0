// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *arg) {
  __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int e = 5;
  __atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 2);
  assert(!__atomic_compare_exchange_n(&x, &e, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && e == 2);
  return 0;
}

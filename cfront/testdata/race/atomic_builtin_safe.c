// expect: SAFE --check=race
// Both threads use __atomic operations on a plain int.
#include <pthread.h>
int x;
void *f(void *arg) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  return r == 2;
}

// expect: UNSAFE --check=race
// One thread stores a plain int atomically, the other reads it plainly.
#include <pthread.h>
int x;
void *f(void *arg) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = x;
  pthread_join(t, 0);
  return r == 2;
}

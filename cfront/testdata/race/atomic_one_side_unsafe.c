// expect: UNSAFE --check=race
// An atomic load beside a plain write is a race.
#include <pthread.h>
int x = 1, y;
void *f(void *arg) {
  x = y;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  return r == 2;
}

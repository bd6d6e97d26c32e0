// expect: SAFE --check=race
// A flag is an atomic variable.
#include <pthread.h>
#include <stdatomic.h>
atomic_int stop;
void *f(void *arg) {
  stop = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = stop;
  pthread_join(t, 0);
  return r == 2;
}

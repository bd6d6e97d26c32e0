// expect: SAFE --check=race
// Data is published by a sequentially consistent atomic flag.
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int data;
void *f(void *arg) {
  data = 42;
  ready = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int r = 0;
  pthread_create(&t, 0, f, 0);
  if (ready)
    r = data;
  pthread_join(t, 0);
  return r == 1;
}

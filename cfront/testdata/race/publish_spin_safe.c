// expect: SAFE --check=race
// main waits in a loop for a flag that is set after the data.
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
  pthread_create(&t, 0, f, 0);
  while (!ready)
    ;
  int r = data;
  pthread_join(t, 0);
  return r == 1;
}

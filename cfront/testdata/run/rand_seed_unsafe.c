// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void *f(void *arg) {
  unsigned seed = 7;
  x = rand_r(&seed) % 3;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(x >= 0 && x < 2);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int x, y;
void *f(void *a) {
  x = 1;
  pthread_barrier_wait(&b);
  int v = y;
  assert(v == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, f, 0);
  y = 1; pthread_barrier_wait(&b);
  int v = x;
  assert(v == 1);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_barrier_t b;
int x;
void *f(void *arg) {
  x = 1;
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 1);
  pthread_create(&t, 0, f, 0);
  int r = pthread_barrier_wait(&b);
  assert(r == PTHREAD_BARRIER_SERIAL_THREAD);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int x[2];
int serial;
void *f(void *a) {
  int me = (long)a;
  for (int round = 1; round <= 3; round++) {
    x[me] = round;
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
      serial = round;
    int other = x[1 - me];
    assert(other == round || other == round + 1);
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, f, (void *)0L);
  pthread_create(&u, 0, f, (void *)1L);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(serial == 3);
  return 0;
}

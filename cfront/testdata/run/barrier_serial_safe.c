// expect: SAFE
#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int n;
void *f(void *a) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
    __sync_fetch_and_add(&n, 1);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 3);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(n == 1);
  return 0;
}

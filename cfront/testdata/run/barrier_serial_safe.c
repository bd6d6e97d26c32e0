// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_barrier_t b;
int x;
void *f(void *arg) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
    __sync_fetch_and_add(&x, 1);
  return 0;
}
int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&b, 0, 2);
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  assert(x == 2);
  return 0;
}

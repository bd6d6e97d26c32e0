// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_barrier_t b;
int x, n;
void *f(void *arg) {
  __sync_fetch_and_add(&x, 1);
  pthread_barrier_wait(&b);
  int y = x;
  assert(y >= 2);
  return 0;
}
int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&b, 0, 2);
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, f, 0);
  return 0;
}

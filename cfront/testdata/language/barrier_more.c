// expect: error 6:3: unsupported: barrier of 1 threads that 2 threads use
#include <pthread.h>
#include <assert.h>
pthread_barrier_t b;
void *f(void *arg) {
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 1);
  pthread_create(&t, 0, f, 0);
  pthread_barrier_wait(&b);
  return 0;
}

// expect: UNSAFE --check=deadlock
// One thread leaves out the second round of the barrier.
#include <pthread.h>
pthread_barrier_t b;
void *f(void *arg) {
  pthread_barrier_wait(&b);
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, f, 0);
  pthread_barrier_wait(&b);
  pthread_join(t, 0);
  return 0;
}

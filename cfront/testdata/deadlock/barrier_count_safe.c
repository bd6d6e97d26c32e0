// expect: SAFE --check=deadlock
// As many threads come to the barrier as it waits for.
#include <pthread.h>
pthread_barrier_t b;
void *f(void *arg) {
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

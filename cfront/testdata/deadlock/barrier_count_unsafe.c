// expect: UNSAFE --check=deadlock
// Fewer threads come to the barrier than it waits for.
#include <pthread.h>
pthread_barrier_t b;
void *f(void *arg) {
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 3);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

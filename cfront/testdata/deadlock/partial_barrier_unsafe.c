// expect: UNSAFE --check=deadlock
// Two threads wait at a barrier for three; main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_barrier_t b;
void *f(void *arg) {
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 3);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  for (;;)
    sched_yield();
}

// expect: UNSAFE --check=deadlock
// A thread may read whether to stop before another one has written that.
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t b;
atomic_int stop;
int rounds, id[2];
void *f(void *arg) {
  while (!stop) {
    pthread_barrier_wait(&b);
    if (*(int *)arg == 0 && ++rounds == 2)
      stop = 1;
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&b, 0, 2);
  for (int i = 0; i < 2; i++) {
    id[i] = i;
    pthread_create(&t[i], 0, f, &id[i]);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return 0;
}

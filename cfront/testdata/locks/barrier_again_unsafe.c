// expect: UNSAFE --check=locks
/* A barrier is initialised again, while a thread may wait there. */
#include <pthread.h>
static pthread_barrier_t b;
static void *thread(void *arg) {
  pthread_barrier_wait(&b);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, thread, 0);
 pthread_barrier_init(&b, 0, 2);
  pthread_barrier_wait(&b);
  pthread_join(t, 0);
  return 0;
}

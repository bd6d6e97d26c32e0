// expect: SAFE --check=locks
// Two threads wait for one condition variable, each with a mutex of its own; in the safe one with the same.
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static void await(pthread_mutex_t *l) {
  pthread_mutex_lock(l);
  while (!ready)
    pthread_cond_wait(&c, l);
  pthread_mutex_unlock(l);
}
static void *first(void *arg) {
  await(&m);
  return arg;
}
static void *second(void *arg) {
  await(&m);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

// expect: UNSAFE --check=deadlock
// Three threads join each other in a circle while main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t, u, v;
pthread_t get(pthread_t *p) {
  pthread_mutex_lock(&m);
  pthread_t x = *p;
  pthread_mutex_unlock(&m);
  return x;
}
void *f(void *arg) {
  pthread_join(get(&u), 0);
  return 0;
}
void *g(void *arg) {
  pthread_join(get(&v), 0);
  return 0;
}
void *h(void *arg) {
  pthread_join(get(&t), 0);
  return 0;
}
int main(void) {
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_create(&v, 0, h, 0);
  pthread_mutex_unlock(&m);
  for (;;)
    sched_yield();
}

// expect: SAFE --check=deadlock
// Of two threads that wait for each other's signal one sends its own first; main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, y;
void await(int *p) {
  while (!*p)
    pthread_cond_wait(&c, &m);
}
void set(int *p) {
  *p = 1;
  pthread_cond_broadcast(&c);
}
void *f(void *arg) {
  pthread_mutex_lock(&m);
  await(&x);
  set(&y);
  pthread_mutex_unlock(&m);
  return 0;
}
void *g(void *arg) {
  pthread_mutex_lock(&m);
  set(&x);
  await(&y);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}

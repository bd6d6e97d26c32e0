// expect: SAFE --check=deadlock
// Two threads take two mutexes of C11 in the same order while main runs for ever.
#include <pthread.h>
#include <sched.h>
#include <threads.h>
mtx_t a, b;
void *f(void *arg) {
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
  return 0;
}
void *g(void *arg) {
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t, u;
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_recursive);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}

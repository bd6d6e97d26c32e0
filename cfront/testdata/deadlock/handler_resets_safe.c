// expect: SAFE --check=deadlock
// A handler of a signal notes that it was there.
#include <pthread.h>
#include <signal.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
volatile sig_atomic_t ready, seen;
static void on(int s) {
  (void)s;
  seen = 1;
}
static void *f(void *p) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  signal(SIGHUP, on);
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  raise(SIGHUP);
  pthread_join(t, 0);
}

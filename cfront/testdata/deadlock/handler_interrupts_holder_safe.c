// expect: SAFE --check=deadlock
// A handler may wait for a mutex of the thread that it interrupts.
#include <pthread.h>
#include <signal.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
volatile int working, other;
static void on(int s) {
  (void)s;
  if (other) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
}
static void *f(void *p) {
  pthread_mutex_lock(&m);
  for (int i = 1; i < 4; i++)
    working = i;
  working = 0;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  signal(SIGHUP, on);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
}

// expect: SAFE
// A handler that does nothing interrupts nobody, beside one that does.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
volatile int a;
static void idle(int s) { (void)s; }
static void on(int s) {
  (void)s;
  a = 1;
  a = 0;
}
static void *f(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  signal(SIGUSR1, idle);
  signal(SIGUSR2, on);
  int x = a;
  assert(!x);
}

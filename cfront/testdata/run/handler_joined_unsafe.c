// expect: UNSAFE
// When all other threads have ended, nobody but main can be interrupted.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
volatile int a;
_Thread_local volatile int own;
static void on(int s) {
  (void)s;
  a = 1;
  a = 0;
}
static void *f(void *p) {
  assert(!a);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  signal(SIGUSR1, on);
  pthread_join(t, 0);
  int x = a;
  assert(!x);
}

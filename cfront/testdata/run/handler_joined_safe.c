// expect: SAFE
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
  int y = own;
  assert(!y);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  signal(SIGUSR1, on);
  int x = a;
  assert(!x);
}

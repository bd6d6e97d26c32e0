// expect: UNSAFE
// A handler has the variables of the thread that it interrupts, which is the only one.
#include <assert.h>
#include <errno.h>
#include <signal.h>
_Thread_local volatile int own;
static void on(int s) {
  (void)s;
  int e = errno;
  own++;
  errno = 7;
  (void)e;
  own--;
}
int main(void) {
  signal(SIGUSR1, on);
  errno = 5;
  own = 3;
  assert(errno == 5);
  assert(own == 3);
}

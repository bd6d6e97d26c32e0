// expect: SAFE
// A handler is not interrupted by that of the same signal, unless SA_NODEFER says so.
#include <assert.h>
#include <signal.h>
volatile int in;
static void on(int s) {
  (void)s;
  assert(!in);
  in = 1;
  in = 0;
}
int main(void) {
  struct sigaction a = {0};
  a.sa_handler = on;
  a.sa_flags = 0;
  sigaction(SIGUSR1, &a, 0);
}

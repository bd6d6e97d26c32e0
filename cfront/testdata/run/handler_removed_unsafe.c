// expect: UNSAFE
// A handler that is no longer installed does not come.
#include <assert.h>
#include <signal.h>
volatile int a;
static void on(int s) {
  (void)s;
  a = 1;
}
int main(void) {
  signal(SIGUSR1, on);
  a = 0;
  signal(SIGUSR1, SIG_IGN);
  assert(a == 0);
}

// expect: SAFE
// pause returns when a handler has run.
#include <assert.h>
#include <signal.h>
#include <unistd.h>
volatile sig_atomic_t flag;
static void on(int s) {
  (void)s;
  flag = 1;
}
int main(void) {
  signal(SIGUSR1, on);
  pause();
  assert(flag == 1);
}

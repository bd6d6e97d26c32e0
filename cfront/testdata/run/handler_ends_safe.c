// expect: SAFE
// A handler runs to its end before the thread that it interrupts goes on.
#include <assert.h>
#include <signal.h>
volatile int a, b;
static void on(int s) {
  (void)s;
  a = 1;
  b = 1;
  a = 0;
  b = 0;
}
int main(void) {
  signal(SIGUSR1, on);
  int x = a, y = b;
  assert(!x && !y);
}

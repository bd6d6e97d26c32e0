// expect: UNSAFE
// A handler interrupts one of another signal.
#include <assert.h>
#include <signal.h>
volatile int a, b;
static void outer(int s) {
  (void)s;
  a = 1;
  b = 1;
  a = 0;
  b = 0;
}
static void inner(int s) {
  (void)s;
  assert(a >= b);
}
int main(void) {
  signal(SIGUSR1, outer);
  signal(SIGUSR2, inner);
}

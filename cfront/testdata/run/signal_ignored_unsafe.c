// expect: UNSAFE
#include <assert.h>
#include <signal.h>

/* Who runs a program may have it ignore a signal, as nohup does. */
int main(void) {
  void (*old)(int) = signal(SIGINT, SIG_IGN);
  assert(old == SIG_DFL);
  return 0;
}

// expect: UNSAFE --check=memory
// What a signal does is more than its handler.
#include <signal.h>

int main(void) {
  struct sigaction a;
  a.sa_handler = SIG_IGN;
  sigemptyset(&a.sa_mask);
  sigaction(SIGUSR1, &a, 0);
  return 0;
}

// expect: SAFE --check=memory
// What a signal does is more than its handler.
#include <signal.h>

int main(void) {
  struct sigaction a;
  a.sa_handler = SIG_IGN;
  a.sa_flags = 0;
  sigemptyset(&a.sa_mask);
  sigaction(SIGUSR1, &a, 0);
  return 0;
}

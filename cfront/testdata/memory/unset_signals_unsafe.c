// expect: UNSAFE --check=memory
// To a set of signals one more is added only if there is a set.
#include <signal.h>

int main(void) {
  sigset_t set;
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  return 0;
}

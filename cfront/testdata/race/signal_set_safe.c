// expect: SAFE --check=race
// A set of signals is memory like any other.
#include <pthread.h>
#include <signal.h>
sigset_t shared;
void *f(void *arg) {
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGUSR1);
  return arg;
}
int main(void) {
  pthread_t t;
  sigemptyset(&shared);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}

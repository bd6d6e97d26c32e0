// expect: SAFE --check=race
// Two handlers that one thread runs have no data race; in two threads they may have one.
#include <pthread.h>
#include <signal.h>
int c;
static void *f(void *p) { return p; }
static void outer(int s) {
  (void)s;
  c = 1;
}
static void inner(int s) {
  (void)s;
  c = 2;
}
int main(void) {
  signal(SIGUSR1, outer);
  signal(SIGUSR2, inner);
  (void)f;
}

// expect: UNSAFE --check=race
// Two handlers that one thread runs have no data race; with a thread that it does not interrupt a handler has one.
#include <pthread.h>
#include <signal.h>
int c;
static void *f(void *p) {
  c = 3;
  return p;
}
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
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
}

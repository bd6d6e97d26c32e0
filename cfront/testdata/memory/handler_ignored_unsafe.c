// expect: UNSAFE --check=memory
#include <pthread.h>
#include <signal.h>
static int x, *p = &x;
static void on(int s) { (void)s; *p = 1; }
/* The handler may come before the signal is ignored. */
static void *f(void *a) { p = 0; signal(SIGUSR1, SIG_IGN); return a; }
int main(void) {
  pthread_t t;
  signal(SIGUSR1, on);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE --check=memory
#include <pthread.h>
#include <signal.h>
static int x;
static void on(int s) { (void)s; x = 1; }
/* What is done with a signal is taken in one step, whoever changes it meanwhile. */
static void *f(void *a) { signal(SIGUSR1, SIG_IGN); return a; }
int main(void) {
  pthread_t t;
  signal(SIGUSR1, on);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}

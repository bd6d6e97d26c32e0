// expect: UNSAFE --check=race
// A handler without SA_RESTART ends a wait for a semaphore: who does not look at that has not got it.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
sem_t s;
int n;
static void note(int signal) { (void)signal; }
static void *f(void *arg) {
  sem_wait(&s);
  n++;
  sem_post(&s);
  return arg;
}
int main(void) {
  pthread_t t, u;
  struct sigaction a = {0};
  a.sa_handler = note;
  sigaction(SIGUSR1, &a, 0);
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return n == 7;
}

// expect: SAFE --check=deadlock
// A handler that waits for nothing that the thread may hold which it interrupts.
#include <pthread.h>
#include <signal.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int reloads;
void on(int s) {
  if (pthread_mutex_trylock(&m) == 0)
    pthread_mutex_unlock(&m);
}
int main(void) {
  signal(SIGHUP, on);
  pthread_mutex_lock(&m);
  reloads++;
  pthread_mutex_unlock(&m);
}

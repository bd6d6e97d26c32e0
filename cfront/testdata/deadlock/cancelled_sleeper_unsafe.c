// expect: UNSAFE --check=deadlock
// A thread is cancelled while it sleeps with the lock held.
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ticks;
static void *ticker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&lock);
    ticks++;
    usleep(1);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, ticker, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  pthread_mutex_lock(&lock);
  return ticks < 0;
}

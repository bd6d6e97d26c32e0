// expect: UNSAFE --check=deadlock
// A thread locks a normal mutex that it holds.
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void inc(void) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
}
int main(void) {
  pthread_mutex_lock(&m);
  inc();
  pthread_mutex_unlock(&m);
  return 0;
}

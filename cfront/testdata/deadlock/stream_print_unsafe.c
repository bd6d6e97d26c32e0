// expect: UNSAFE --check=deadlock
// A thread prints while it holds a mutex, which main takes while it holds the stream's lock; in the safe one it prints behind that.
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  puts("x");
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  flockfile(stdout);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  funlockfile(stdout);
  pthread_join(t, 0);
  return 0;
}

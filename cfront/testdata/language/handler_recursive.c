// expect: UNSAFE
// A handler gets a recursive mutex of the thread that it interrupts, and sees what that one is about to change.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int a, b;
void on(int s) {
  pthread_mutex_lock(&m);
  assert(a == b);
  pthread_mutex_unlock(&m);
}
int main(void) {
  signal(SIGHUP, on);
  pthread_mutex_lock(&m);
  a++;
  b++;
  pthread_mutex_unlock(&m);
}

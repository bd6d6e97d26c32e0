// expect: SAFE --check=deadlock
// Main joins a thread that prints to a stream whose lock main holds; the safe one prints by a function that does not lock.
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  putc_unlocked('x', stdout);
  return arg;
}
int main(void) {
  pthread_t t;
  flockfile(stdout);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  funlockfile(stdout);
  return 0;
}

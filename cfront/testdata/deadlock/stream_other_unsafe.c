// expect: UNSAFE --check=deadlock
// Main joins a thread that prints to another stream than the one whose lock main holds; in the unsafe one to the same.
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  fprintf(stdout, "x");
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

// expect: SAFE --check=deadlock
// The lock of a stream is taken twice, and given back twice before the thread is joined that prints; in the unsafe one once.
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  printf("%d\n", 1);
  return arg;
}
int main(void) {
  pthread_t t;
  flockfile(stdout);
  fputs("y\n", stdout);
  if (ftrylockfile(stdout))
    return 1;
  pthread_create(&t, 0, f, 0);
  funlockfile(stdout);
  funlockfile(stdout);
  pthread_join(t, 0);
  return 0;
}

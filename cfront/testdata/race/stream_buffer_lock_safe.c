// expect: SAFE --check=race
// The buffer of a stream is written while its lock is held; in the unsafe one behind that.
#include <pthread.h>
#include <stdio.h>
static char buffer[16];
void *f(void *arg) {
  puts("x");
  return arg;
}
int main(void) {
  pthread_t t;
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  pthread_create(&t, 0, f, 0);
  flockfile(stdout);
  buffer[0] = 1;
  funlockfile(stdout);
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE --check=race
// A thread prints to a stream whose buffer was given by setvbuf, while main writes to that array; the safe one joins it before.
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
  pthread_join(t, 0);
  fclose(stdout);
  buffer[0] = 1;
  return 0;
}

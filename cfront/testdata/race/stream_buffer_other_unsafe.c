// expect: UNSAFE --check=race
// Main writes to an array that is the buffer of another stream than the one that a thread prints to; in the unsafe one of the same.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdio.h>
static char one[16], two[16];
void *f(void *arg) {
  putchar('x');
  return arg;
}
int main(void) {
  pthread_t t;
  setbuffer(stdout, one, sizeof one);
  setbuffer(stderr, two, sizeof two);
  pthread_create(&t, 0, f, 0);
  one[15] = 1;
  pthread_join(t, 0);
  return 0;
}

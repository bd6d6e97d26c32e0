// expect: UNSAFE --check=overflow
// An int has not room for the milliseconds of a clock.
#include <stdio.h>
#include <time.h>
int main(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  int seconds = (int)(t.tv_sec % 10000000);
  printf("%d\n", seconds * 1000);
}

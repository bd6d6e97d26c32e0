// expect: SAFE --check=overflow
// Nanoseconds of Linux's clocks fit into 64 bits, and so do times that have passed.
#include <stdio.h>
#include <time.h>
int main(void) {
  struct timespec t, u;
  clock_t begun = clock();
  clock_gettime(CLOCK_MONOTONIC, &t);
  clock_gettime(CLOCK_REALTIME, &u);
  long long ns = t.tv_sec * 1000000000LL + t.tv_nsec, deadline = u.tv_sec * 1000000000LL + u.tv_nsec + 3600000000000LL;
  printf("%lld %lld %ld\n", ns, deadline, clock() - begun);
}

// expect: UNSAFE
// Processor time: with several threads it goes by faster than CLOCK_MONOTONIC, by which the sleep is shorter.
#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec first, then, length = {2, 0};
  clock_gettime(CLOCK_MONOTONIC, &first);
  clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &length, 0);
  clock_gettime(CLOCK_MONOTONIC, &then);
  assert(then.tv_sec - first.tv_sec >= 1);
}

// expect: SAFE
// A sleep by a clock that goes on as CLOCK_MONOTONIC does.
#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec first, then, length = {2, 0};
  clock_gettime(CLOCK_MONOTONIC, &first);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &length, 0);
  clock_gettime(CLOCK_MONOTONIC, &then);
  assert(then.tv_sec - first.tv_sec >= 1);
}

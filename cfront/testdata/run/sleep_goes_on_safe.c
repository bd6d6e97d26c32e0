// expect: SAFE
// A clock that nobody sets goes on while a thread sleeps, at least as long as it is told to.
#include <assert.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  struct timespec first, then, length = {0, 700000000};
  clock_gettime(CLOCK_MONOTONIC, &first);
  nanosleep(&length, 0);
  usleep(300000);
  sleep(99);
  clock_gettime(CLOCK_MONOTONIC, &then);
  long long t = (then.tv_sec - first.tv_sec) * 1000000000LL + then.tv_nsec - first.tv_nsec;
  assert(t >= 100 * 1000000000LL);
}

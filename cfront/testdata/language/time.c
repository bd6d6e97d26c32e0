// expect: SAFE
#include <assert.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  struct timeval now;
  time_t t, u;
  unsigned seed = 1;
  gettimeofday(&now, 0);
  u = time(&t);
  assert(now.tv_usec < 1000000 && t == u);
  assert(rand_r(&seed) >= 0);
  return 0;
}

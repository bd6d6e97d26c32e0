// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
int main(void) {
  struct timespec t;
  int rc = clock_gettime(CLOCK_MONOTONIC, &t);
  if (rc != 0) fprintf(stderr, "%s\n", strerror(errno));
  t.tv_nsec += 500 * 1000000L;
  if (t.tv_nsec >= 1000000000L) { t.tv_nsec -= 1000000000L; t.tv_sec++; }
  assert(rc == 0 && t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < 1000000000L);
}

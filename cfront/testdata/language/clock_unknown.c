// expect: error 5:3: unsupported: clock_gettime of a clock that is not known here
#include <time.h>
int main(void) {
  struct timespec t;
  clock_gettime(99, &t);
  return 0;
}

// expect: SAFE --check=memory
// The system reads both members of the time.
#include <time.h>

int main(void) {
  struct timespec t;
  t.tv_sec = 0;
  t.tv_nsec = 1000;
  nanosleep(&t, 0);
  return 0;
}

// expect: UNSAFE
#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec u = {0, 1000000000};
  assert(nanosleep(&u, 0) == 0);
  return 0;
}

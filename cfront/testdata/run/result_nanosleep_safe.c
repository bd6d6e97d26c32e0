// expect: SAFE
#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec t = {0, 1}, u = {0, 1000000000};
  assert(nanosleep(&t, 0) == 0 && nanosleep(&u, 0) == -1);
  return 0;
}

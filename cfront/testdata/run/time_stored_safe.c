// expect: SAFE
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  time_t t = 5;
  time_t now = time(&t);
  assert(t == now);
  assert(t >= 0);
  return 0;
}

// expect: UNSAFE
#include <assert.h>
#include <unistd.h>
int main(void) {
  assert(sleep(0) - 1 < 0);
  return 0;
}

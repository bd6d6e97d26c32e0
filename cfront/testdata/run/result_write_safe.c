// expect: SAFE
#include <assert.h>
#include <unistd.h>
int main(void) {
  long n = write(1, "ab", 2);
  assert(n >= -1 && n <= 2 && getpid() > 0);
  return 0;
}

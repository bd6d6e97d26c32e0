// expect: error 6:3: unsupported: jump into a loop
#include <assert.h>
int main(void) {
  int i = 0;
  goto in;
  while (i < 10) {
    i += 2;
  in:
    i++;
  }
  assert(i == 10);
  return 0;
}

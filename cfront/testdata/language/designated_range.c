// expect: error 4:27: unsupported: range in an initialiser
#include <assert.h>
int main(void) {
  int y[4] = {[0 ... 2] = 1};
  assert(y[2] == 1);
  return 0;
}

// expect: error 4:3: unsupported: nested function
#include <assert.h>
int main(void) {
  int g(void) { return 1; }
  assert(g() == 1);
  return 0;
}

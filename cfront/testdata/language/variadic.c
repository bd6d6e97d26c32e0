// expect: error 5:3: unsupported: call of 'f', which takes a variable number of arguments
#include <assert.h>
int f(int n, ...) { return n; }
int main(void) {
  assert(f(1, 2) == 1);
  return 0;
}

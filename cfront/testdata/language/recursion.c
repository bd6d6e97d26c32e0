// expect: error 3:27: unsupported: recursion of 'f'
#include <assert.h>
int f(int n) { return n ? f(n - 1) : 0; }
int main(void) {
  assert(f(3) == 0);
  return 0;
}

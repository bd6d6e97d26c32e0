// expect: error 5:3: unsupported: call of undefined function 'f'
#include <assert.h>
int f(int);
int main(void) {
  assert(f(1) == 1);
  return 0;
}

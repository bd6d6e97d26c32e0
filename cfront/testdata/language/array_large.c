// expect: error 3:5: unsupported: array of more than 4096 elements
#include <assert.h>
int x[5000];
int main(void) {
  x[1] = 1;
  assert(x[1] == 1);
  return 0;
}

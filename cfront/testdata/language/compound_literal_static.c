// expect: error 3:10: unsupported: compound literal in the initialiser of a static variable
#include <assert.h>
int *p = (int[]){1, 2};
int main(void) {
  assert(p[0] == 1);
  return 0;
}

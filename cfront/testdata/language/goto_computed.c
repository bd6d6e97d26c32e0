// expect: error 4:13: unsupported: address of a label
#include <assert.h>
int main(void) {
  void *p = &&l;
  goto *p;
  l:;
  return 0;
}

// expect: error 5:3: unsupported: posix_memalign with an alignment that is none
#include <stdlib.h>
int main(void) {
  void *p = 0;
  posix_memalign(&p, 3, 8);
  return p == 0;
}

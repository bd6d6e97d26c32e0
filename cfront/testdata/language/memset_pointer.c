// expect: error 5:3: unsupported: memset of this object to this value
#include <string.h>
int *p[2];
int main(void) {
  memset(p, -1, sizeof p);
  return 0;
}

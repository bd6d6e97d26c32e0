// expect: error 4:30: unsupported: flexible array member
#include <assert.h>
int main(void) {
  struct { int n; int a[]; } x;
  x.n = 1;
  return 0;
}

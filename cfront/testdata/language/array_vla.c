// expect: SAFE
#include <assert.h>
int main(void) {
  int n = 2;
  int a[n];
  a[1] = 1;
  assert(a[1] == 1);
  return 0;
}

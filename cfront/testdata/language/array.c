// expect: SAFE
#include <assert.h>
int main(void) {
  int a[2][3] = {{1, 2, 3}, {4, 5, 6}}, i = 1;
  int *p = a[i];
  assert(p[2] == 6 && *(p + i) == 5 && &a[1][2] - p == 2);
  return 0;
}

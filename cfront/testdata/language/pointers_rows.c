// expect: SAFE
#include <assert.h>
int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
int at(const int *p, int i) { return p[i]; }
int main(void) {
  int sum = 0;
  for (int *p = &a[0][0]; p < &a[0][0] + 6; p++) sum += *p;
  assert(sum == 21 && at(a[0], 4) == 5 && at((int *)a, 5) == 6 && at(&a[1][2], -3) == 3);
}

// expect: SAFE
#include <assert.h>
#include <string.h>
int main(void) {
  int a[3] = {1, 2, 3}, b[3];
  memcpy(b, a, sizeof a);
  memset(a, 0, 2 * sizeof(int));
  assert(a[1] == 0 && a[2] == 3 && b[1] == 2);
  return 0;
}

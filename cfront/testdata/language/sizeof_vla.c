// expect: SAFE
#include <assert.h>
int main(void) {
  int n = 3, a[n], m[2][n];
  char b[n + 1][4];
  n = 7;
  assert(sizeof a == 12 && sizeof a / sizeof a[0] == 3 && sizeof m == 24 && sizeof m[1] == 12 && sizeof *m == 12);
  assert(sizeof b == 16 && sizeof b[0] == 4 && sizeof(short[n + 1]) == 16);
  int (*p)[2][3] = 0;
  assert(sizeof *p == 24 && sizeof(*p)[0] == 12 && sizeof p == sizeof(void *));
  return 0;
}

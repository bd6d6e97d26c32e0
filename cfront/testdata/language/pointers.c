// expect: SAFE
#include <assert.h>
int main(void) {
  struct { int a, b[3]; } s = {1, {2, 3, 4}}, *p = &s;
  int *q = &p->b[1];
  int **r = &q;
  *q = 7;
  q++;
  assert(p->b[1] == 7 && **r == 4 && q - s.b == 2 && *&s.a == 1);
  return 0;
}

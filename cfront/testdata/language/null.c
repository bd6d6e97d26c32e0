// expect: SAFE
#include <assert.h>
int main(void) {
  int x, *p = 0;
  assert(!p);
  p = &x;
  assert(p && p != 0);
  return 0;
}

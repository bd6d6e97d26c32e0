// expect: SAFE
#include <assert.h>
int next(void) { static int n = 10; return ++n; }
int main(void) {
  next();
  assert(next() == 12);
  return 0;
}

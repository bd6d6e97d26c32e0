// expect: SAFE
#include <assert.h>
typedef unsigned word;
int main(void) {
  const word w = 3;
  volatile word v = w;
  register int r = v;
  assert(r == 3);
  return 0;
}

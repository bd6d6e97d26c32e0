// expect: SAFE
#include <assert.h>
static inline int add(short a, int b) { return a + b; }
int main(void) {
  assert(add(1, 300) == 301);
  return 0;
}

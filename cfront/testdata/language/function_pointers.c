// expect: SAFE
#include <assert.h>
int g(int x) { return x + 1; }
int main(void) {
  int (*f)(int) = g;
  assert(f(2) == 3 && (*f)(3) == 4);
  return 0;
}

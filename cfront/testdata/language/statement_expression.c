// expect: SAFE
#include <assert.h>
int main(void) {
  int x = ({ int y = 2; y++; y * 2; });
  assert(x == 6);
  return 0;
}

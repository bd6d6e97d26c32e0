// expect: SAFE
#include <assert.h>
int main(void) {
  assert(_Generic(1u, int: 1, unsigned: 2, default: 3) == 2);
  return 0;
}

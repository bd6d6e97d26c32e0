// expect: SAFE
#include <assert.h>
int main(void) {
  _Static_assert(sizeof(int) == 4, "int");
  return 0;
}

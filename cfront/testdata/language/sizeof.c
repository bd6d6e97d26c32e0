// expect: SAFE
#include <assert.h>
#include <stddef.h>
int main(void) {
  struct s { char c; long l; } x;
  assert(sizeof(x) == 16 && sizeof(int[3]) == 12 && _Alignof(struct s) == 8 && offsetof(struct s, l) == 8);
  return 0;
}

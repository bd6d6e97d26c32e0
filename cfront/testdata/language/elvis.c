// expect: SAFE
#include <assert.h>
int main(void) {
  int x = 0;
  assert((x ?: 7) == 7 && (x++ ?: x) == 1 && (x ?: 5) == 1);
  return 0;
}

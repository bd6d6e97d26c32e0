// expect: error 4:3: invalid character constant
#include <assert.h>
int main(void) {
  assert('ab' == 24930);
  return 0;
}

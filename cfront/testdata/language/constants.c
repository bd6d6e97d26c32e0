// expect: SAFE
#include <assert.h>
int main(void) {
  assert('a' == 97 && '\n' == 10 && '\377' == -1 && 0x10 == 020 && 0b11 == 3);
  return 0;
}

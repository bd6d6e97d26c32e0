// expect: SAFE
#include <assert.h>
#define TAG 'abcd'
int main(void) {
  assert('ab' == 24930 && TAG == 0x61626364 && '\n\0' == 2560 && '\'x' == 10104);
  assert('\377\1' == 65281 && '\377abc' < 0 && sizeof 'ab' == sizeof(int));
  return 0; /* don't */
}

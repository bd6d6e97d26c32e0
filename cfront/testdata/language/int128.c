// expect: PARSES
#include <assert.h>
int main(void) {
  __int128 x = 1;
  for (int i = 0; i < 100; i++) x = x * 2;
  assert(x > 9223372036854775807LL && x / 1073741824 / 1073741824 / 1073741824 == 1024);
  return 0;
}

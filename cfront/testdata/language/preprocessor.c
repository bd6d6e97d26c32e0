// expect: SAFE
#include <assert.h>
#define N(x) ((x) * 2)
#pragma pack_nothing
int main(void) {
  #if defined(__linux__) && N(2) == 4
  assert(N(3) == 6);
  #endif
  return 0;
}

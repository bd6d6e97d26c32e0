// expect: SAFE
#include <assert.h>
int main(void) {
  assert((unsigned char)-1 == 255 && (int)(signed char)128 == -128 && (_Bool)2 == 1);
  return 0;
}

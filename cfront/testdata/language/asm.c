// expect: error 4:3: unsupported: asm statement
#include <assert.h>
int main(void) {
  __asm__("nop");
  return 0;
}

// expect: error 7:3: unsupported: setjmp
#include <assert.h>
typedef int jmp_buf[8];
int setjmp(jmp_buf);
int main(void) {
  jmp_buf b;
  assert(setjmp(b) == 0);
  return 0;
}

// expect: SAFE
// Each element of an array of jump buffers is a buffer of its own: the jump goes back to the second setjmp.
#include <assert.h>
#include <setjmp.h>

int main(void) {
  jmp_buf back[2];
  if (setjmp(back[0]))
    assert(0);
  if (setjmp(back[1]))
    return 0;
  longjmp(back[1], 1);
}

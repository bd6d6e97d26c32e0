// expect: UNSAFE --check=memory
/* longjmp leaves the function whose local is used after that. */
#include <setjmp.h>
static jmp_buf back;
static int *kept;
static void leave(void) {
  int x = 2;
  kept = &x;
 longjmp(back, 1);
}
int main(void) {
  if (setjmp(back) == 0)
    leave();
 return *kept - 2;
}

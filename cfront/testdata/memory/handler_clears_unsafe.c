// expect: UNSAFE --check=memory
// A handler comes between the test of a pointer and its use.
#include <signal.h>
char z;
char *volatile p;
static void on(int s) {
  (void)s;
  p = 0;
}
int main(void) {
  p = &z;
  signal(SIGUSR1, on);
  if (p)
    *p = 1;
}

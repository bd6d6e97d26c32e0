// expect: SAFE --check=memory
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
  char *q = p;
  if (q)
    *q = 1;
}

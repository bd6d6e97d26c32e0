// expect: error 7:5: unsupported: atexit in a loop
#include <stdlib.h>
void h(void) {}
int __VERIFIER_nondet_int(void);
int main(void) {
  while (__VERIFIER_nondet_int())
    atexit(h);
  return 0;
}

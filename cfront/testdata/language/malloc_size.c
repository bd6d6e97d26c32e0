// expect: error 5:12: unsupported: malloc of a size that is not known here
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(__VERIFIER_nondet_int());
  *p = 1;
  return 0;
}

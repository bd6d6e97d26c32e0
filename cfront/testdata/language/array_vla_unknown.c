// expect: error 6:7: unsupported: variable length array whose length is not known here
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int a[n];
  a[0] = 1;
  return 0;
}

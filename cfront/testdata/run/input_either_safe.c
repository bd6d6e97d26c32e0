// expect: SAFE
// A file's bytes go to one of two arrays; in the unsafe one it is one of those that are looked at.
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
char a[2], b[2], c[2];
int main(void) {
  char *p = __VERIFIER_nondet_int() ? a : b;
  fread(p, 1, 2, stdin);
  assert(c[0] == 0);
  return 0;
}

// expect: UNSAFE
// A file's bytes go to one of two arrays; one of which is looked at; in the safe one another one is one of those that are looked at.
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
char a[2], b[2], c[2];
int main(void) {
  char *p = __VERIFIER_nondet_int() ? a : b;
  fread(p, 1, 2, stdin);
  assert(b[0] == 0);
  return 0;
}

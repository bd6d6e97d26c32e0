// expect: SAFE --check=memory
/* What a loop prints as a string has no end. */
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
static char name[4] = "abc";
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    printf("%d %s\n", i, name);
  return 0;
}

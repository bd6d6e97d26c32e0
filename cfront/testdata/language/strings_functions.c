// expect: SAFE
#include <assert.h>
#include <string.h>
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  char a[8] = "ab", b[8] = "", c[4] = "";
  assert(strlen("ab") == 2 && strlen(a) == 2 && strlen(a + 1) == 1);
  strcpy(b, a);
  strcat(b, "cd");
  assert(strcmp(b, "abcd") == 0 && strcmp(b, "abce") < 0 && strcmp("b", a) > 0 && strncmp(b, "abx", 2) == 0);
  strncpy(c, "x", 3);
  assert(c[0] == 'x' && c[1] == 0 && c[2] == 0);
  strncpy(c, "xyzw", 3);
  assert(c[2] == 'z' && memcmp(c, "xya", 2) == 0 && memcmp(c, "xya", 3) > 0);
  assert(atoi(" -12x") == -12 && atoi(a) == 0);
  if (__VERIFIER_nondet_uchar() > 100) a[1] = 0;
  unsigned long n = strlen(a);
  assert(n == 1 || n == 2);
  strcat(a, "!");
  assert(a[n] == '!' && a[n + 1] == 0);
  assert(strcmp("\377", "a") > 0);
  return 0;
}

// expect: UNSAFE --check=memory
/* Of a string with a precision no more characters are read. */
#include <stdio.h>
int main(void) {
  char a[4], b[10];
  a[0] = 'a';
  snprintf(b, sizeof b, "%.2s", a);
  return b[0] == 'x';
}

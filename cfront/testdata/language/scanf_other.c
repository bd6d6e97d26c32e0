// expect: error 5:3: unsupported: scanf with %s
#include <stdio.h>
int main(void) {
  char s[9];
  scanf("%s", s);
  return 0;
}

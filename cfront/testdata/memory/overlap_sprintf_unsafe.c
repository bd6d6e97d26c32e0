// expect: UNSAFE --check=memory
/* sprintf writes over the string that it reads. */
#include <stdio.h>
int main(void) {
  char a[16] = "abc", b[16] = "abc";
  snprintf(a, sizeof a, "%s%d", a, 1);
  return a[0] == 'x' || b[0] == 'x';
}

// expect: SAFE --check=memory
/* What strncat takes from its own target. */
#include <string.h>
int main(void) {
  char a[16] = "abc", b[4] = "abc";
  strncat(a, b, 2);
  return a[0] == 'x' || b[0] == 'x';
}

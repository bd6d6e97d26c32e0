// expect: UNSAFE --check=memory
/* strcpy does not shift a string within its array. */
#include <string.h>
int main(void) {
  char a[16] = "abcdef";
  strcpy(a, a + 1);
  return a[0] == 'x';
}

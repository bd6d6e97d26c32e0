// expect: UNSAFE --check=memory
/* memcpy copies to another place than from, but not to one that overlaps it. */
#include <string.h>
int main(void) {
  char a[10] = "abcdefghi";
  memmove(a, a + 2, 5);
  memcpy(a, a + 2, 5);
  memcpy(a, a + 5, 5);
  return a[0] == 'x';
}

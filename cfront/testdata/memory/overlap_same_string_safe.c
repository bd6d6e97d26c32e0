// expect: SAFE --check=memory
/* A string is copied to itself: strcpy must not. */
#include <string.h>
static void set(char *to, const char *from) {
  if (to != from)
    strcpy(to, from);
}
int main(void) {
  char a[8] = "abc", b[8];
  set(b, a);
  set(a, a);
  return b[0] == 'x';
}

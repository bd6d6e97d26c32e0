// expect: SAFE --check=memory
/* Characters are copied into a union, not all of them initialised; only those that are are read. */
#include <string.h>
union word { int n; char c[4]; };
int main(void) {
  union word w;
  char s[4];
  w.n = 1;
  memset(s, 0, 3);
  memcpy(&w, s, sizeof w);
  return w.c[2];
}

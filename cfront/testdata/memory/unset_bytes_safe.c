// expect: SAFE --check=memory
/* Bytes are copied one by one, indeterminate ones too; the scalar that they are part of is read. */
#include <stdlib.h>
#include <string.h>
static void copy(void *to, const void *from, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  while (n--)
    *d++ = *s++;
}
int main(void) {
  int x[2], y[2];
  x[0] = 1;
  copy(y, x, sizeof y);
  if (y[0] > 5)
    abort();
  return 0;
}

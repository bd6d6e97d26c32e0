// expect: SAFE
#include <assert.h>
#include <stdio.h>
int main(void) {
  int c = getchar();
  assert(c >= EOF && c <= 255 && putchar(10) >= EOF && puts("") >= EOF);
  return 0;
}

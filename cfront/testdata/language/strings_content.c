// expect: error 5:3: unsupported: content of a string literal
#include <assert.h>
int main(void) {
  char *s = "ab";
  assert(s[0] == 'a');
  return 0;
}

// expect: SAFE
#include <assert.h>
int main(void) {
  char s[] = "\x041G";
  assert(s[0] == 'A' && sizeof(s) == 3 && '\x0061' == 'a');
  return 0;
}

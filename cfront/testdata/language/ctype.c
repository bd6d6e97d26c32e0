// expect: SAFE
#include <assert.h>
#include <ctype.h>
int main(void) {
  assert(isdigit('7') && !isdigit('x') && isspace('\t') && !isalpha(200) && !isprint(-1));
  assert(isxdigit('f') && ispunct('!') && isupper('Q') && !islower('Q') && isalnum('0'));
  assert(toupper('b') == 'B' && tolower('B') == 'b' && toupper('7') == '7');
  return 0;
}

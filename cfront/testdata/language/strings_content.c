// expect: SAFE
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
const char *name = "xyz";
char digit(int i) { return "0123456789"[i]; }
int main(void) {
  char *s = "ab\377";
  unsigned char i = __VERIFIER_nondet_uchar();
  assert(s[0] == 'a' && *(s + 1) == 'b' && s[2] == -1 && !s[3]);
  assert(name[2] == 'z' && digit(7) == '7');
  if (i < 10) assert(digit(i) == '0' + i);
  int n = 0;
  for (s = "hello"; *s; s++) n++;
  assert(n == 5);
  return 0;
}

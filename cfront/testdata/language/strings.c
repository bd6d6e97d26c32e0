// expect: SAFE
#include <assert.h>
int main(void) {
  char s[] = "ab", r[5] = "xyz";
  assert(sizeof(s) == 3 && s[1] == 'b' && s[2] == 0 && r[4] == 0);
  return 0;
}

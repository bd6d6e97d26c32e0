// expect: SAFE
#include <assert.h>
#include <stddef.h>
struct s { wchar_t w[4]; int k; } g[2] = {[0 ... 1] = {L"ab", 3}};
wchar_t rows[2][2] = {L"x", L"yz"};
const wchar_t *name = L"wide";
int main(void) {
  char a[] = u8"hi" "!", *p = u8"x";
  assert(g[1].w[1] == L'b' && g[1].w[3] == 0 && g[0].k == 3 && rows[0][1] == 0 && rows[1][1] == 'z');
  assert(name[3] == 'e' && name[4] == 0 && sizeof L"abc" == 16 && a[1] == 'i' && sizeof a == 4 && *p == 'x');
  assert(u'a' == 97 && sizeof u'a' == 2 && U'\n' == 10 && U'a' - 98 > 0 && L'a' - 98 < 0 && sizeof U'a' == 4);
  return 0;
}

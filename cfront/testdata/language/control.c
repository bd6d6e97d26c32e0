// expect: SAFE
#include <assert.h>
int main(void) {
  int s = 0, i = 0;
  do { i++; if (i == 3) continue; if (i > 5) break; s += i; } while (1);
  for (int j = 0; j < 3; j++) while (s > 20) s--;
  assert(s == 12);
  return 0;
}

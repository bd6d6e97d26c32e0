// expect: SAFE
#include <assert.h>
enum color { RED, GREEN = 5, BLUE };
int main(void) {
  enum color c = GREEN;
  assert(c == 5 && BLUE == 6 && sizeof(c) == 4);
  return 0;
}

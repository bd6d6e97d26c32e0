// expect: SAFE
#include <assert.h>
int main(void) {
  struct { int a, b[3]; } x = {.b = {[1] = 5}, .a = 2};
  int y[] = {[3] = 1, 2};
  assert(x.a == 2 && x.b[1] == 5 && x.b[2] == 0 && sizeof(y) == 20 && y[4] == 2);
  return 0;
}

// expect: SAFE
#include <assert.h>
int main(void) {
  int x = 0;
  for (int i = 0; i < 6; i++)
    switch (i) {
    case 0: x += 1;
    case 1: x += 10; break;
    case 2 ... 4: x += 100; break;
    default: x += 1000;
    }
  assert(x == 1321);
  return 0;
}

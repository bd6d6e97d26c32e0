// expect: SAFE
#include <assert.h>
int main(void) {
  int x = 0;
  {
    goto end;
    x = 1;
  end:
  }
  switch (x) {
  case 0: x = 2; break;
  case 1:
  }
  assert(x == 2);
  return 0;
}

// expect: SAFE
#include <assert.h>
int main(void) {
  int i = 0;
  goto in;
  {
  again:
    i += 2;
  in:
    i++;
    if (i > 6) goto out;
  }
  goto again;
  out:
  assert(i == 7);
  return 0;
}

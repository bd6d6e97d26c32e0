// expect: SAFE
#include <assert.h>
int main(void) {
  void *p = (void *)(long)-5;
  assert((int)(long)p == -5);
  return 0;
}

// expect: SAFE
#include <alloca.h>
#include <assert.h>
int main(void) {
  int *p = alloca(sizeof(int));
  *p = 1;
  assert(*p == 1);
  return 0;
}

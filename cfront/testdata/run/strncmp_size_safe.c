// expect: SAFE
#include <assert.h>
#include <string.h>
int main(void) {
  assert(strncmp("abc", "abd", -1) != 0);
  return 0;
}

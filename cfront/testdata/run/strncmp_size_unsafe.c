// expect: UNSAFE
#include <assert.h>
#include <string.h>
int main(void) {
  assert(strncmp("abc", "abd", 2) != 0);
  return 0;
}

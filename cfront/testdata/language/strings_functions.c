// expect: error 5:3: unsupported: strings (strlen)
#include <assert.h>
#include <string.h>
int main(void) {
  assert(strlen("ab") == 2);
  return 0;
}

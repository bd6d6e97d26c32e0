// expect: error 4:28: unsupported: union whose members are not integers of one size
#include <assert.h>
int main(void) {
  union { int a; char b; } x;
  x.a = 1;
  return 0;
}

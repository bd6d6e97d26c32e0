// expect: error 6:3: unsupported: input with scanf
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x;
  scanf("%d", &x);
  return 0;
}

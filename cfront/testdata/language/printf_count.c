// expect: error 5:3: unsupported: printf with %n
#include <stdio.h>
int main(void) {
  int n;
  printf("%d%n", 1, &n);
  return 0;
}

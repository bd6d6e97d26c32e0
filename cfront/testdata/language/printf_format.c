// expect: error 6:3: unsupported: printf with a format that is not known here and a pointer to a variable
#include <stdio.h>
int main(void) {
  int n;
  const char *format = "%d%n";
  printf(format, 1, &n);
  return 0;
}

// expect: UNSAFE --check=memory
/* A string that is printed is initialised up to its end. */
#include <stdio.h>
int main(void) {
  char a[4];
  a[0] = 'a';
  a[2] = 0;
  printf("%s\n", a);
  return 0;
}

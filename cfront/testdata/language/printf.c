// expect: SAFE
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 1;
  printf("%d\n", x++);
  fprintf(stderr, "b\n");
  puts("c");
  perror("d");
  assert(x == 2);
  return 0;
}

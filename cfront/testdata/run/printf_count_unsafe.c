// expect: UNSAFE
#include <stdio.h>
#include <assert.h>

int seen, other = 3;

int main(void) {
  printf("ab%n", &seen);
  assert(seen == 0);
  return 0;
}

// expect: SAFE
#include <stdio.h>
#include <assert.h>

int seen, other = 3;

int main(void) {
  printf("ab%n", &seen);
  assert(other == 3);
  printf("ab%%n %p", (void *)&other);
  assert(other == 3);
  return 0;
}

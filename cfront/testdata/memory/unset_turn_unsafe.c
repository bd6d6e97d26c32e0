// expect: UNSAFE --check=memory
/* A local of a loop's body is a new one in each turn. */
#include <stdlib.h>
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int x;
    if (i == 0)
      x = 1;
    sum += x;
  }
  if (sum > 5)
    abort();
  return 0;
}

// expect: UNSAFE --check=memory
/* bsearch is given so many elements as the array has: any of them may be compared. */
#include <stdlib.h>
static int same(const void *a, const void *b) {
  (void)a, (void)b;
  return 0;
}
int main(void) {
  int a[3] = {1, 2, 3}, key = 2;
  return bsearch(&key, a, 4, sizeof a[0], same) == 0;
}

// expect: SAFE --check=memory
/* qsort is given so many elements as the array has, even if nothing is compared. */
#include <stdlib.h>
static int same(const void *a, const void *b) {
  (void)a, (void)b;
  return 0;
}
int main(void) {
  int a[3] = {3, 1, 2};
  qsort(a, 3, sizeof a[0], same);
  return a[0] == 1;
}

// expect: SAFE
#include <assert.h>
#include <stdlib.h>
int main(void) {
  assert(random() + RAND_MAX >= RAND_MAX);
  return 0;
}

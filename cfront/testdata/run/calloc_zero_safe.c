// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *p = calloc(2, sizeof *p);
  assert(p[0] == 0 && p[1] == 0);
  return 0;
}

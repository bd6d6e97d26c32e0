// expect: SAFE --check=memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *p = calloc(4, sizeof(int)), *e = p + 4;
  for (int *q = p; q != e; q++) *q = 1;
  return 0;
}

// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(2 * sizeof(int)), s = 0;
  p[0] = 1;
  p[1] = 2;
  p = realloc(p, 4 * sizeof(int));
  p[2] = 3;
  p[3] = 4;
  for (int i = 0; i < 4; i++) s += p[i];
  assert(s == 10);
  free(p);
  return 0;
}

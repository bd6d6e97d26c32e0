// expect: SAFE --check=memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int x, *p;
  p = &x;
  *p = 1;
  return 0;
}

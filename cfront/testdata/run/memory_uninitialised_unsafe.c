// expect: UNSAFE --check=memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int x, *p;
  *p = 1;
  return 0;
}

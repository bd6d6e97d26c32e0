// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, y, *p = &x;
void *f(void *a) { p = &y; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  *p = 1;
  pthread_join(t, 0);
  assert(x == 1);
  *p = 5;
  assert(y == 5 && x <= 1);
  return 0;
}

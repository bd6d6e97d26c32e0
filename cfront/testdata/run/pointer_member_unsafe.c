// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct box { int *p; int n; } box;
int x = 1, y = 2;
void *f(void *a) { if (box.p) *box.p = 7; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  box.p = &x;
  pthread_join(t, 0);
  box.p = &y;
  *box.p = 3;
  assert((x == 1) && y == 3);
  return 0;
}

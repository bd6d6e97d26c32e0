// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, y;
void *f(void *a) { return a ? (void *)&x : (void *)&y; }
int main(void) {
  pthread_t t, u;
  int *p, *q;
  pthread_create(&t, 0, f, (void *)1);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, (void **)&p);
  pthread_join(u, (void **)&q);
  *p = 3;
  *q = 4;
  assert(x == 3 && y == 4 && p == &x);
  return 0;
}

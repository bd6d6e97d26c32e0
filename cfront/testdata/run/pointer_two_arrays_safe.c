// expect: SAFE
#include <pthread.h>
#include <assert.h>
int a[1], b[1];
void *set(void *p) { a[0] = 1; a[0] = 0; b[0] = 1; return 0; }
int main(void) {
  pthread_t t; int *p = a, v = 0;
  pthread_create(&t, 0, set, 0);
  int *q = b; assert(!(q[0] && p[0]));
  return 0;
}

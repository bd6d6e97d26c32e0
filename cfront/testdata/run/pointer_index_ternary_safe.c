// expect: SAFE
#include <pthread.h>
#include <assert.h>
int a[2];
void *set(void *p) { a[0] = 1; a[0] = 0; a[1] = 1; return 0; }
int main(void) {
  pthread_t t; int *p = a, v = 0;
  pthread_create(&t, 0, set, 0);
  v = p[1] ? p[0] : 0; assert(!v);
  return 0;
}

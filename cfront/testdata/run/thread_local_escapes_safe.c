// expect: SAFE
#include <pthread.h>
#include <assert.h>

__thread int n;
void *f(void *a) {
  n = 3;
  *(int *)a = 4;
  int v = n;
  assert(v == 3);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, &n);
  pthread_join(t, 0);
  assert(n == 4);
  return 0;
}

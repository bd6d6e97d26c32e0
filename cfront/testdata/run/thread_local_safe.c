// expect: SAFE
#include <pthread.h>
#include <assert.h>

_Thread_local int n = 5;
void *f(void *a) {
  n++;
  int v = n;
  assert(v == 6);
  return 0;
}
int main(void) {
  static _Thread_local int k = 1;
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  n = 9;
  k += n;
  assert(k == 10);
  pthread_join(t, 0);
  assert(n == 9);
  return 0;
}

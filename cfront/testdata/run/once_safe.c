// expect: SAFE
#include <pthread.h>
#include <assert.h>

pthread_once_t o = PTHREAD_ONCE_INIT;
int x, y;
void init(void) { x++; y = x; }
void *f(void *a) {
  pthread_once(&o, init);
  int v = y;
  assert(v == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}

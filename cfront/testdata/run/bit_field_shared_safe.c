// expect: SAFE
#include <pthread.h>
#include <assert.h>

struct { unsigned count : 2; int other; } x;
void *f(void *a) {
  x.count++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  f(0);
  f(0);
  f(0);
  assert(x.count == 0);
  return 0;
}

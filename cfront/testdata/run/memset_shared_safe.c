// expect: SAFE
#include <string.h>
#include <pthread.h>
#include <assert.h>

int x[2] = {1, 1};
void *f(void *a) {
  memset(x, 0, sizeof x);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int v = x[1];
  int w = x[0];
  assert(v || !w);
  return 0;
}

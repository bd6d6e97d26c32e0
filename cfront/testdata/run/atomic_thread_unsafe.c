// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *p) { x = 1; x = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(x == 0);
  return 0;
}

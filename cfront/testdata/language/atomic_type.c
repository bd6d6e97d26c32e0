// expect: SAFE
#include <pthread.h>
#include <assert.h>
_Atomic int x;
void *f(void *arg) {
  x++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x++;
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}

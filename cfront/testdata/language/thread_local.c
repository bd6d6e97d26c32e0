// expect: SAFE
#include <pthread.h>
#include <assert.h>
_Thread_local int x = 1;
void *f(void *arg) {
  x = 5;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_detach(t);
  int v = x;
  assert(v == 0 || v == 1);
  return 0;
}

// expect: UNSAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  assert(pthread_attr_setstacksize(&a, 1024) == 0);
  return 0;
}

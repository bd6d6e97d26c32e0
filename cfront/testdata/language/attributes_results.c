// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
  assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
  return 0;
}

// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
  assert(pthread_attr_setstacksize(&a, 1024) == EINVAL);
  assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE) == 0);
  assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
  assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
  assert(pthread_setcancelstate(7, 0) == EINVAL);
  return 0;
}

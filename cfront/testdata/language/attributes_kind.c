// expect: error 6:3: unsupported: pthread_rwlockattr_setkind_np with another value than 0 and 1
#include <pthread.h>
int main(void) {
  pthread_rwlockattr_t a;
  pthread_rwlockattr_init(&a);
  pthread_rwlockattr_setkind_np(&a, 2);
  return 0;
}

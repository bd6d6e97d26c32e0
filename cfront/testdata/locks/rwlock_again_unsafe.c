// expect: UNSAFE --check=locks
/* A read-write lock is initialised again while it is held. */
#include <pthread.h>
static pthread_rwlock_t l;
int main(void) {
  pthread_rwlock_init(&l, 0);
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_init(&l, 0);
  return 0;
}

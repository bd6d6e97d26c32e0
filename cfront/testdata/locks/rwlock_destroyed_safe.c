// expect: SAFE --check=locks
/* A read-write lock is taken after its destruction. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
 pthread_rwlock_rdlock(&l);
 pthread_rwlock_unlock(&l);
  pthread_rwlock_destroy(&l);
  return 0;
}

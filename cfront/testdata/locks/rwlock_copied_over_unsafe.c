// expect: UNSAFE --check=locks
/* Zeros are copied over a read-write lock that was destroyed, while it is initialised: it is free before and after; in the unsafe one what is copied is a lock that is held. */
#include <pthread.h>
#include <string.h>
static pthread_rwlock_t lock, other;
static void *copier(void *arg) {
  memcpy(&lock, &other, sizeof lock);
  return arg;
}
int main(void) {
  pthread_t id;
  pthread_rwlock_wrlock(&other);
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_destroy(&lock);
  pthread_create(&id, 0, copier, 0);
  pthread_rwlock_init(&lock, 0);
  pthread_join(id, 0);
  return 0;
}

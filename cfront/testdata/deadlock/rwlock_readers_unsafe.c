// expect: UNSAFE --check=deadlock
// Two threads take two read-write locks in opposite orders, the second ones for writing.
#include <pthread.h>
pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
void both(pthread_rwlock_t *first, pthread_rwlock_t *second) {
  pthread_rwlock_rdlock(first);
  pthread_rwlock_wrlock(second);
  pthread_rwlock_unlock(second);
  pthread_rwlock_unlock(first);
}
void *f(void *arg) {
  both(&a, &b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  both(&b, &a);
  pthread_join(t, 0);
  return 0;
}

// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *f(void *arg) {
  pthread_rwlock_wrlock(&l);
  x = 1;
  x = 2;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_rwlock_rdlock(&l);
  int v = x;
  assert(v != 1);
  pthread_rwlock_unlock(&l);
  assert(pthread_rwlock_tryrdlock(&l) == 0 || x == 1 || x <= 2);
  return 0;
}

// expect: UNSAFE --check=race
// The writer takes the read-write lock for reading only.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *f(void *arg) {
  pthread_rwlock_rdlock(&l);
  x = 1;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_rwlock_rdlock(&l);
  int r = x;
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
  return r == 2;
}

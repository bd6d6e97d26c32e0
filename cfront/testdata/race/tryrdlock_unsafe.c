// expect: UNSAFE --check=race
// The data is read whether or not pthread_rwlock_tryrdlock has got the lock, and after it was given back.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *f(void *arg) {
  int r = 0;
  int error = pthread_rwlock_tryrdlock(&l);
  if (!error)
    pthread_rwlock_unlock(&l);
  r = x;
  return r ? &x : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_rwlock_wrlock(&l);
  x = 1;
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
  return 0;
}
